"""The format of a backup: a folder of files, and `backup.json`, which lists them and is written last.

A folder without `backup.json`, or with a file that differs from the list, is no backup.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Self

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
        _check_file(folder / name, expected)
    return contents


def _check_file(file: Path, expected: str) -> None:
    try:
        is_same = digest(file) == expected
    except OSError:
        is_same = False
    if not is_same:
        raise BackupError(f"{file} is missing or damaged: it is not as it was written.")


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
