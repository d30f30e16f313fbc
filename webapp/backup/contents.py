"""What a backup is: a folder of files, and `backup.json`, which lists them and is written last.

A folder without `backup.json`, or with a file that is not as listed, is no backup.
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
OWN_FILE = 0o600  # nobody else reads what opens every seat


class BackupError(Exception):
    """There is no backup, or it cannot be restored; the text is a sentence for the operator, without secrets."""


class Kind(StrEnum):
    """Which database a backup is of; the value is the name that SQLAlchemy has for it."""

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
    """What is in a backup: the database's kind and version, when it was made, and each file's SHA-256."""

    database: Kind
    version: str
    made_at: datetime
    files: Mapping[str, str]

    @classmethod
    def of(cls, folder: Path, database: Kind, version: str, made_at: datetime) -> Self:
        """Lists the files of the folder, which has no `backup.json` yet."""
        files = {file.name: digest(file) for file in sorted(folder.iterdir())}
        return cls(database, version, made_at.astimezone(UTC), files)

    def write(self, folder: Path) -> None:
        """Writes `backup.json`, and waits until everything in the folder has reached the disk."""
        told = {"format": FORMAT, **asdict(self), "made_at": self.made_at.isoformat()}
        write_private(folder / ABOUT, json.dumps(told, indent=1) + "\n")
        for path in (*folder.iterdir(), folder):
            sync(path)


def read_contents(folder: Path) -> Contents:
    """What is in the backup, with every file compared to its SHA-256. Raises BackupError."""
    try:
        told = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        if told["format"] != FORMAT:
            raise BackupError(f"{folder} is a backup of a newer program; restore it with that one.")
        made_at = datetime.fromisoformat(told["made_at"])
        contents = Contents(Kind(told["database"]), str(told["version"]), made_at, dict(told["files"]))
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
    """Writes a new file that nobody else can read. Raises FileExistsError where there is one."""
    file.touch(mode=OWN_FILE, exist_ok=False)
    file.write_text(text, encoding="utf-8")


def sync(path: Path) -> None:
    """Waits until a file, or the names in a folder, have reached the disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
