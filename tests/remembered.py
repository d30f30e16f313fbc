"""Runs the setup of many tests once a process; later, it copies the database instead of repeating the setup.

The outcome is reused only if the function, the settings, the time, the luck of the deals and every row are the same.
Tests with `monkeypatch` (`memory.is_on`), and those on PostgreSQL, repeat everything. Rings of the setup are not
repeated.
"""

import sqlite3
from collections.abc import Callable, Hashable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from hashlib import blake2b
from pathlib import Path
from random import SystemRandom
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
    database: Path


class Memory:
    def __init__(self) -> None:
        self.is_on = False
        self.folder = Path()
        self.outcomes: dict[Hashable, Outcome] = {}


memory = Memory()


def remembered(does: Does) -> Does:
    """`does(runtime, …)`, run once for each state that it begins with. Callers must not change its result."""

    @wraps(does)
    def once(runtime: Runtime, *asked: Any, **more: Any) -> Any:
        if not (memory.is_on and _can_be_copied(runtime)):
            return does(runtime, *asked, **more)
        settings = repr((runtime.settings.model_dump(exclude=ELSEWHERE), runtime.settings.keeps_mail))
        begun = runtime.now(), runtime.chance.getstate(), _content(runtime)
        key = (does.__name__, asked, *sorted(more.items()), settings, *begun)
        if outcome := memory.outcomes.get(key):
            _copy(outcome.database, _file(runtime))
            runtime.now.at = outcome.at  # type: ignore[attr-defined]
            runtime.chance.setstate(outcome.chance)
            return outcome.returned
        returned = does(runtime, *asked, **more)
        kept = memory.folder / f"{len(memory.outcomes)}.db"
        _copy(_file(runtime), kept)
        memory.outcomes[key] = Outcome(returned, runtime.now(), runtime.chance.getstate(), kept)
        return returned

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
