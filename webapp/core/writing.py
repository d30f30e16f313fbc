"""Writes the rows that a session has changed, in fewer steps than the ORM's unit of work: every turn changes some."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any

from sqlalchemy import bindparam, inspect, update
from sqlalchemy.orm.exc import StaleDataError
from sqlmodel import Session, SQLModel

from webapp.core.statements import Statement


def write_changes(session: Session) -> None:
    """Writes what was changed in rows, which then belong to no session: its transaction must end now.

    Leaves all to the ORM if rows are new or deleted, too, since it knows the order. Raises StaleDataError if a row that
    was changed is gone.
    """
    if session.new or session.deleted:
        return
    rows = sorted(session.dirty, key=_place)
    for (kind, changed), alike in groupby(rows, lambda row: (type(row), tuple(_changed(row)))):
        _write(session, kind, changed, list(alike))
    for row in rows:
        session.expunge(row)  # else the ORM would look for changes, too


def _place(row: SQLModel) -> tuple[Any, ...]:
    """By which rows are sorted, so that two transactions write the same rows in the same order."""
    return type(row).__name__, *inspect(row).identity


def _changed(row: SQLModel) -> list[str]:
    """The attributes of a row that have other values than before."""
    state: Any = inspect(row)
    return [name for name, before in state.committed_state.items() if state.dict[name] != before]


def _write(session: Session, kind: type[SQLModel], changed: tuple[str, ...], rows: Sequence[SQLModel]) -> None:
    """Writes rows in which the same was changed."""
    if changed and _update(kind, changed).write(session, *(_values(row, changed) for row in rows)) != len(rows):
        raise StaleDataError(f"a row of {kind.__name__} is gone")


def _values(row: SQLModel, changed: Iterable[str]) -> dict[str, Any]:
    state: Any = inspect(row)
    keys = {f"key_{place}": value for place, value in enumerate(state.identity)}
    return {**keys, **{f"new_{name}": state.dict[name] for name in changed}}


@lru_cache(256)
def _update(kind: type[SQLModel], names: tuple[str, ...]) -> Statement:
    """The statement that sets these attributes of one row: `new_` with their names, and its key: `key_0` and on."""
    mapper: Any = inspect(kind)
    found = (column == bindparam(f"key_{place}") for place, column in enumerate(mapper.primary_key))
    values: dict[Any, Any] = {mapper.columns[name]: bindparam(f"new_{name}") for name in names}
    return Statement(update(mapper.local_table).where(*found).values(values))
