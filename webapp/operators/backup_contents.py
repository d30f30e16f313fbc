"""The format of a backup: a folder of files, and `backup.json`, which lists them and is written last.

A folder without `backup.json`, or with a file that differs from the list, is no backup.
"""

import hashlib
import json
import os
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Self

from webapp.core.config import Settings

ABOUT = "backup.json"
FORMAT = 1
NO_TABLES = "There are no tables in the database yet, so there is nothing to keep."
OWN_FILE = 0o600  # the backup opens every seat, so only its owner may read it


class BackupError(Exception):
    """A backup is missing, or cannot be restored; the text is a sentence for the operator, without secrets."""


class Kind(StrEnum):
    """The kind of database in a backup; the value is SQLAlchemy's name for it."""

    SQLITE = "sqlite"
    POSTGRESQL = "postgresql"

    @property
    def maker(self) -> str:
        return "SQLite" if self is Kind.SQLITE else "PostgreSQL"

    @property
    def file(self) -> str:
        """The name of the file that holds the copy."""
        return "hearts.db" if self is Kind.SQLITE else "hearts.dump"


@dataclass(frozen=True, slots=True)
class Contents:
    """The content of `backup.json`: the database's kind and version, the time of the backup, each file's SHA-256."""

    database: Kind
    version: str
    made_at: datetime
    files: Mapping[str, str]

    @classmethod
    def of(cls, folder: Path, database: Kind, version: str, made_at: datetime) -> Self:
        """The contents of a folder that has no `backup.json` yet."""
        files = {file.name: digest(file) for file in sorted(folder.iterdir())}
        return cls(database, version, made_at.astimezone(UTC), files)

    def write(self, folder: Path) -> None:
        """Writes `backup.json`, and waits until everything in the folder is on the disk."""
        mapping = {"format": FORMAT, **asdict(self), "made_at": self.made_at.isoformat()}
        write_private(folder / ABOUT, json.dumps(mapping, indent=1) + "\n")
        for path in (*folder.iterdir(), folder):
            sync(path)


def read_contents(folder: Path) -> Contents:
    """Reads `backup.json` and compares every file to its SHA-256. Raises BackupError if anything differs."""
    try:
        mapping = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        if mapping["format"] != FORMAT:
            raise BackupError(f"{folder} is a backup of a newer program; restore it with that one.")
        made_at = datetime.fromisoformat(mapping["made_at"])
        contents = Contents(Kind(mapping["database"]), str(mapping["version"]), made_at, dict(mapping["files"]))
    except FileNotFoundError:
        raise BackupError(f"{folder} is no whole backup: there is no {ABOUT} in it.") from None
    except (OSError, ValueError, KeyError, TypeError):
        raise BackupError(f"{folder / ABOUT} cannot be read.") from None
    for name, expected in contents.files.items():
        file = folder / name
        try:
            is_same = digest(file) == expected
        except OSError:
            is_same = False
        if not is_same:
            raise BackupError(f"{file} is missing or damaged: it is not as it was written.")
    return contents


def digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def write_private(file: Path, text: str) -> None:
    """Writes a new file that only its owner can read. Raises FileExistsError if it exists."""
    file.touch(mode=OWN_FILE, exist_ok=False)
    file.write_text(text, encoding="utf-8")


def sync(path: Path) -> None:
    """Waits until a file's content, or a folder's entries, are on the disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


# Copies and restores the keys that sign links, notifications and mails, from DATA_DIR or the settings.

SECRET_KEYS, VAPID_KEY, DKIM_KEY = "secret_keys", "vapid_key.pem", "dkim_key.pem"
NEXT_DKIM_KEY = "dkim_key_{}.pem"  # the second one, and so on


def write_keys(settings: Settings, folder: Path) -> None:
    """Copies every key that is in use into the folder, one file each."""
    write_private(folder / SECRET_KEYS, "\n".join(settings.keys()) + "\n")
    kept = [(VAPID_KEY, _vapid_file(settings))]
    for number, file in enumerate(settings.dkim_keys.values(), 1):
        kept.append((DKIM_KEY if number == 1 else NEXT_DKIM_KEY.format(number), file))
    for name, file in kept:
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


def _keys_in(folder: Path) -> list[str]:
    return (folder / SECRET_KEYS).read_text(encoding="utf-8").split()


def _vapid_file(settings: Settings) -> Path:
    return settings.vapid_key or settings.data_dir / VAPID_KEY


def _replace(file: Path, text: str) -> None:
    part = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    write_private(part, text)
    os.replace(part, file)
