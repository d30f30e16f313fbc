"""Set-ups that a process makes once, and copies into each new runtime."""

from collections.abc import Callable
from datetime import datetime
from functools import cache, wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlmodel import SQLModel, select

from hearts.fair import fair_deal
from tests.runtimes import CHANCE, Clock, make_runtime
from tests.table import Table
from webapp.core.runtime import Runtime
from webapp.games.record import sealed
from webapp.models import PlayerRow
from webapp.outbox.letters import message_id_of

P = ParamSpec("P")
T = TypeVar("T")
Rows = dict[str, list[dict[str, Any]]]  # by table


def copied(make: Callable[Concatenate[Runtime, P], T]) -> Callable[Concatenate[Runtime, P], T]:
    """The same set-up, made once a process as it takes longer than most tests: a new SQLite file gets its rows."""

    @cache
    def made(args: tuple[Any, ...], more: tuple[tuple[str, Any], ...]) -> tuple[T, Rows, datetime, Any]:
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # a ring may still be on its way
            runtime = make_runtime(Path(folder))
            result = make(runtime, *args, **dict(more))  # type: ignore[arg-type]
            with runtime.database.reading() as session:
                tables = SQLModel.metadata.sorted_tables
                found = {one.name: session.connection().execute(one.select()).mappings() for one in tables}
                rows = {name: [dict(row) for row in its] for name, its in found.items()}
            runtime.database.engine.dispose()
            return result, rows, runtime.now(), runtime.chance.getstate()

    @wraps(make)
    def copy_or_make(runtime: Runtime, *args: P.args, **more: P.kwargs) -> T:
        if not _is_new(runtime):
            return make(runtime, *args, **more)
        result, rows, runtime.now.at, chance = made(args, tuple(more.items()))
        runtime.chance.setstate(chance)
        _write(runtime, rows)
        return result.on(runtime) if isinstance(result, Table) else result  # type: ignore[return-value]

    return copy_or_make


def _is_new(runtime: Runtime) -> bool:
    """Whether nothing has happened on this runtime, whose database is SQLite's, and chance deals the cards."""
    if runtime.settings.database_url or runtime.now() != Clock().at or sealed.fair_deal is not fair_deal:
        return False
    with runtime.database.reading() as session:
        return session.exec(select(PlayerRow.id)).first() is None and runtime.chance.getstate() == CHANCE.getstate()


def _write(runtime: Runtime, rows: Rows) -> None:
    """Writes rows into empty tables; Message-IDs follow from the key of the runtime."""
    ids = {row["message_id"]: message_id_of(runtime, row["dedupe"]) for row in rows["letter"]}
    own = [
        {**row, "message_id": ids[row["message_id"]], "thread_id": ids.get(row["thread_id"])} for row in rows["letter"]
    ]
    with runtime.database.writing() as session:
        for name, found in {**rows, "letter": own}.items():
            if found:
                session.connection().execute(SQLModel.metadata.tables[name].insert(), found)
