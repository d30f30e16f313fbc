"""Copies and restores the keys that sign links, notifications and mails, from DATA_DIR or the settings."""

import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from webapp.backup.contents import BackupError, write_private
from webapp.core.config import Settings

SECRET_KEYS, VAPID_KEY, DKIM_KEY = "secret_keys", "vapid_key.pem", "dkim_key.pem"
NEXT_DKIM_KEY = "dkim_key_{}.pem"  # the second one, and so on


def write_keys(settings: Settings, folder: Path) -> None:
    """Copies every key that is in use into the folder, one file each."""
    write_private(folder / SECRET_KEYS, "\n".join(settings.keys()) + "\n")
    for name, file in ((VAPID_KEY, _vapid_file(settings)), *_dkim_files(settings)):
        if file.exists():
            write_private(folder / name, file.read_text(encoding="utf-8"))


def check_keys(settings: Settings, folder: Path) -> None:
    """Raises BackupError if restoring would replace a key for notifications in the data directory."""
    kept, own = _vapid_file(settings), folder / VAPID_KEY
    if own.exists() and settings.vapid_key is None and kept.exists() and kept.read_bytes() != own.read_bytes():
        raise BackupError(f"{kept} differs from the backup's key. Move it away, or restore somewhere else.")


def restore_keys(settings: Settings, folder: Path) -> None:
    """Writes the backup's keys into the data directory, unless settings name keys. Call `check_keys` first.

    Secret keys that are already there stay, and a new one is put first, because Message-IDs depend on the first key.
    Without a new one, a mail about a trick would get the Message-ID of a mail about the same trick that was sent after
    the backup, and mail programs would hide it.
    """
    if not settings.secret_keys:
        keys = [secrets.token_urlsafe(48), *_keys_in(folder), *settings.keys()]
        _replace(settings.data_dir / SECRET_KEYS, "\n".join(dict.fromkeys(keys)) + "\n")
    if (folder / VAPID_KEY).exists() and settings.vapid_key is None:
        _replace(_vapid_file(settings), (folder / VAPID_KEY).read_text(encoding="utf-8"))


def advice_on_keys(settings: Settings, folder: Path) -> list[str]:
    """Advises the operator in sentences on changes to the settings that name keys."""
    found = []
    kept, current = _keys_in(folder), settings.keys()
    if set(kept) - set(current):
        found.append(f"SECRET_KEYS lacks keys of {folder / SECRET_KEYS}: links that they signed do not open.")
    if settings.secret_keys and current[0] in kept:
        found.append(
            "Put a new key in front of SECRET_KEYS, or mail programs may take new mail for copies of old ones."
        )
    used_vapid = [_vapid_file(settings)] if settings.vapid_key or settings.is_on_loopback else []
    found += _unnamed("VAPID_KEY", [folder / VAPID_KEY], used_vapid)
    found += _unnamed("DKIM_KEY", sorted(folder.glob("dkim_key*.pem")), settings.dkim_keys.values())
    return found


def _unnamed(setting: str, files: Iterable[Path], named: Iterable[Path]) -> list[str]:
    """A sentence for each existing file whose key is in none of the files `named` by the setting."""
    keys = [file.read_bytes() for file in named if file.exists()]
    return [
        f"{setting} does not name the key of {own}." for own in files if own.exists() and own.read_bytes() not in keys
    ]


def _dkim_files(settings: Settings) -> list[tuple[str, Path]]:
    """The keys that sign mails, by their names in a backup."""
    files = enumerate(settings.dkim_keys.values(), 1)
    return [(DKIM_KEY if number == 1 else NEXT_DKIM_KEY.format(number), file) for number, file in files]


def _keys_in(folder: Path) -> list[str]:
    return (folder / SECRET_KEYS).read_text(encoding="utf-8").split()


def _vapid_file(settings: Settings) -> Path:
    return settings.vapid_key or settings.data_dir / VAPID_KEY


def _replace(file: Path, text: str) -> None:
    part = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    write_private(part, text)
    os.replace(part, file)
