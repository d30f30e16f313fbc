"""Copies a snapshot of a SQLite database with SQLite's online backup, while other processes write to it."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from shutil import copyfile

from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from webapp.core.database import Database, damage
from webapp.operators.backup_contents import NO_TABLES, OWN_FILE, BackupError, sync

FOREIGN_KEYS = "PRAGMA foreign_key_check"
BESIDE = ("", "-wal", "-shm", "-journal")  # suffixes of the files that belong to a SQLite database


def file_of(url: str) -> Path:
    """The file of the database at `url`. Raises BackupError if it is in memory only."""
    name = make_url(url).database
    if not name or name == ":memory:":
        raise BackupError("The database is in memory only, and cannot be backed up or restored.")
    return Path(name)


def save(url: str, file: Path) -> None:
    """Copies the database at `url` to a new file. Raises BackupError."""
    if not file_of(url).exists():
        raise BackupError(f"There is no database at {file_of(url)} yet.")
    database = Database.at(url)
    file.touch(mode=OWN_FILE, exist_ok=False)
    try:
        with database.engine.connect() as source, closing(sqlite3.connect(file)) as copy:
            source.connection.driver_connection.backup(copy)  # type: ignore[union-attr]
            copy.execute("PRAGMA journal_mode=DELETE")  # a single file that needs no -wal
    except (sqlite3.Error, SQLAlchemyError) as error:
        reason = damage(error, str(file_of(url))) or f"The database cannot be copied: {getattr(error, 'orig', error)}"
        raise BackupError(f"{reason}.") from None
    finally:
        database.engine.dispose()


def check(file: Path) -> str:
    """Checks a copy and returns the version of its tables. Raises BackupError if it is damaged or has none."""
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as copy:
            wrong = [line for (line,) in copy.execute("PRAGMA integrity_check") if line != "ok"]
            wrong += [f"{name} refers to no row of {other}" for name, _, other, _ in copy.execute(FOREIGN_KEYS)]
            has_tables = copy.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
            version = copy.execute("SELECT version_num FROM alembic_version").fetchone() if has_tables else None
    except sqlite3.Error as error:
        raise BackupError(f"The copy of the database cannot be read: {error}.") from None
    if wrong:
        raise BackupError(f"The copy of the database is damaged: {wrong[0]}.")
    if version is None:
        raise BackupError(NO_TABLES)
    return str(version[0])


def check_is_empty(url: str) -> None:
    """Raises BackupError if there is a database, or a -wal, which SQLite would apply to the restored database."""
    for ending in BESIDE:
        file = file_of(url).with_name(file_of(url).name + ending)
        if file.exists():
            raise BackupError(f"There is a database already, or a part of one: {file}. Nothing was changed.")


def load(url: str, copy: Path) -> None:
    """Copies a backup to the database's place at `url`, completely or not at all; never over an existing database."""
    file = file_of(url)
    part = file.with_name(f"{file.name}.unfinished")
    part.unlink(missing_ok=True)
    part.touch(mode=OWN_FILE)
    try:
        copyfile(copy, part)
        sync(part)
        os.link(part, file)
    finally:
        part.unlink()
    sync(file.parent)
