"""The keys of a service, wherever it has them from: those that sign links, notifications and mails."""

import os
import secrets
from pathlib import Path

from webapp.backup.contents import BackupError, write_private
from webapp.config import Settings

SECRET_KEYS, VAPID_KEY, DKIM_KEY = "secret_keys", "vapid_key.pem", "dkim_key.pem"


def write_keys(settings: Settings, folder: Path) -> None:
    """Copies every key that is in use into the folder, a file each."""
    write_private(folder / SECRET_KEYS, "\n".join(settings.keys()) + "\n")
    for name, file in ((VAPID_KEY, _vapid_file(settings)), (DKIM_KEY, settings.dkim_key)):
        if file is not None and file.exists():
            write_private(folder / name, file.read_text(encoding="utf-8"))


def check_keys(settings: Settings, folder: Path) -> None:
    """Raises BackupError where the data directory keeps a key that the backup's would replace."""
    kept, own = _vapid_file(settings), folder / VAPID_KEY
    if own.exists() and settings.vapid_key is None and kept.exists() and kept.read_bytes() != own.read_bytes():
        raise BackupError(f"{kept} is another key than that of the backup. Move it away, or restore somewhere else.")


def restore_keys(settings: Settings, folder: Path) -> None:
    """Puts the backup's keys into the data directory, unless settings name others; `check_keys` has been called.

    A new key comes before the old ones. A mail that was written after the backup is forgotten, and with the old key
    another one about the same would get its Message-ID: mail programs would take it for a copy, and not show it.
    """
    if not settings.secret_keys:
        keys = [secrets.token_urlsafe(48), *_keys_in(folder), *settings.keys()]
        _replace(settings.data_dir / SECRET_KEYS, "\n".join(dict.fromkeys(keys)) + "\n")
    if (folder / VAPID_KEY).exists() and settings.vapid_key is None:
        _replace(_vapid_file(settings), (folder / VAPID_KEY).read_text(encoding="utf-8"))


def advice_on_keys(settings: Settings, folder: Path) -> list[str]:
    """What the operator should know of keys that settings name: a sentence each."""
    found = []
    own, current = _keys_in(folder), settings.keys()
    if set(own) - set(current):
        found.append(f"SECRET_KEYS lacks keys of {folder / SECRET_KEYS}: links that they signed do not open.")
    if settings.secret_keys and current[0] in own:
        found.append(
            "Put a new key in front of SECRET_KEYS, or mail programs may take new mails for copies of old ones."
        )
    for name, file in ((VAPID_KEY, settings.vapid_key), (DKIM_KEY, settings.dkim_key)):
        if (folder / name).exists() and _differs(file, folder / name):
            found.append(f"{name.removesuffix('.pem').upper()} does not name the key of {folder / name}.")
    return found


def _keys_in(folder: Path) -> list[str]:
    return (folder / SECRET_KEYS).read_text(encoding="utf-8").split()


def _differs(file: Path | None, own: Path) -> bool:
    """Whether a setting names another key; a key of the data directory has been restored."""
    if file is None:
        return own.name == DKIM_KEY
    return file.read_bytes() != own.read_bytes()


def _vapid_file(settings: Settings) -> Path:
    return settings.vapid_key or settings.data_dir / VAPID_KEY


def _replace(file: Path, text: str) -> None:
    part = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    write_private(part, text)
    os.replace(part, file)
