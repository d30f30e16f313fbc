"""Runs the setup of many tests once; later, it copies the database instead of repeating the setup.

The outcome is reused only if the function, the settings, the time, the luck of the deals and every row are the same.
Tests with `monkeypatch` (`memory.is_on`), and those on PostgreSQL, repeat everything. Rings of the setup are not
repeated.

All processes of a run of the tests share what they remember. What one of them works out, the others wait for.
"""

import fcntl
import pickle
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, wraps
from hashlib import blake2b
from pathlib import Path
from random import SystemRandom
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from webapp.core.runtime import Runtime

Does = TypeVar("Does", bound=Callable[..., Any])
COUNTERS = (slice(24, 28), slice(40, 44), slice(92, 96))  # of an SQLite file: they count its changes
# Settings that differ from test to test, and decide on no row of a setup.
ELSEWHERE = {"data_dir", "database_url", "smtp_url", "inbox_url", "push_hosts"}


@dataclass(frozen=True)
class Outcome:
    returned: Any
    at: datetime
    chance: tuple[Any, ...]


class Memory:
    """Whether setups are remembered, and the folder for that. Without a run of tests a process has its own."""

    is_on = False

    @cached_property
    def folder(self) -> Path:
        self._own = TemporaryDirectory()
        return Path(self._own.name)


memory = Memory()


def made_once(name: str, make: Callable[[Path], None]) -> Path:
    """The file of that name, which the first process that asks for it makes."""
    file = memory.folder / name
    if not file.exists():
        with (memory.folder / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not file.exists():
                unfinished = memory.folder / f"{name}.unfinished"
                make(unfinished)
                unfinished.rename(file)
    return file


def remembered(does: Does) -> Does:
    """`does(runtime, …)`, run once for each state that it begins with. It must return something simple."""

    @wraps(does)
    def once(runtime: Runtime, *asked: Any, **more: Any) -> Any:
        if not (memory.is_on and _can_be_copied(runtime)):
            return does(runtime, *asked, **more)
        settings = runtime.settings.model_dump(exclude=ELSEWHERE), runtime.settings.keeps_mail
        begun = runtime.now(), runtime.chance.getstate(), _content(runtime)
        key = repr((does.__module__, does.__name__, asked, sorted(more.items()), settings, begun))
        name = blake2b(key.encode(), digest_size=16).hexdigest()
        database = memory.folder / f"{name}.db"

        def make(file: Path) -> None:
            returned = does(runtime, *asked, **more)
            _copy(_file(runtime), database)
            file.write_bytes(pickle.dumps(Outcome(returned, runtime.now(), runtime.chance.getstate())))

        outcome: Outcome = pickle.loads(made_once(name, make).read_bytes())
        _copy(database, _file(runtime))
        runtime.now.at = outcome.at  # type: ignore[attr-defined]
        runtime.chance.setstate(outcome.chance)
        return outcome.returned

    return once  # type: ignore[return-value]


def _can_be_copied(runtime: Runtime) -> bool:
    """Whether a seed decides the deals, and no connection to the SQLite database is in use."""
    engine = runtime.database.engine
    is_seeded = not isinstance(runtime.chance, SystemRandom)
    return is_seeded and engine.dialect.name == "sqlite" and engine.pool.checkedout() == 0  # type: ignore[attr-defined]


def _file(runtime: Runtime) -> Path:
    return Path(runtime.database.engine.url.database or "")


def _content(runtime: Runtime) -> bytes:
    with closing(sqlite3.connect(_file(runtime))) as database:
        content = bytearray(database.serialize())
    for counter in COUNTERS:
        content[counter] = bytes(4)
    return blake2b(content).digest()


def _copy(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as database, closing(sqlite3.connect(target)) as copy:
        database.backup(copy)
