"""Runtimes of the cast: each in a folder of its own, with a clock that the test sets."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

from sqlalchemy import make_url
from sqlmodel import Session

from tests.shared_statements import share_statements
from webapp import migrations
from webapp.core.config import read_settings
from webapp.core.database import Database, engine_at
from webapp.core.runtime import Runtime

CHANCE = random.Random(1)  # with which every runtime begins


class Clock:
    """The time, as a variable."""

    def __init__(self) -> None:
        self.at = datetime(2026, 3, 2, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at

    def pass_by(self, time: timedelta) -> None:
        self.at += time


class DatabaseOfCast(Database):
    """A database that knows whether this thread is in a transaction that writes."""

    is_writing: ClassVar[ContextVar[bool]] = ContextVar("is_writing", default=False)

    @contextmanager
    def writing(self) -> Iterator[Session]:
        before = self.is_writing.set(True)
        try:
            with super().writing() as session:
                yield session
        finally:
            self.is_writing.reset(before)


class RuntimeOfCast(Runtime):
    """A runtime whose database compiles only the statements that no other one of this process has."""

    @cached_property
    def database(self) -> Database:
        return DatabaseOfCast(share_statements(engine_at(self.settings.database)))


def make_runtime(folder: Path, database_url: str = "", **settings: object) -> Runtime:
    """A real runtime in its own folder, with a clock that the test sets; a named database must be up to date."""
    made = RuntimeOfCast(read_settings(data_dir=folder, database_url=database_url, **settings), Clock(), copy(CHANCE))
    folder.mkdir(parents=True, exist_ok=True)
    if not database_url:
        Path(make_url(made.settings.database).database or "").write_bytes(_migrated())
    return made


@cache
def _migrated() -> bytes:
    """An SQLite database brought up to date; tests get copies, because making it is slower than most tests."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "migrated.db"
        migrations.upgrade(f"sqlite:///{file}")
        return file.read_bytes()
