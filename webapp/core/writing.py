"""Writes the rows that a session has changed, in fewer steps than the ORM's unit of work: every turn changes some."""

from functools import lru_cache
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
    for row in sorted(session.dirty, key=_place):
        _write(session, row)
        session.expunge(row)  # else the ORM would look for changes, too


def _place(row: SQLModel) -> tuple[Any, ...]:
    """By which rows are sorted, so that two transactions write the same rows in the same order."""
    return type(row).__name__, *inspect(row).identity


def _write(session: Session, row: SQLModel) -> None:
    state: Any = inspect(row)
    before = state.committed_state  # the former values of what was set
    changed = [name for name, value in before.items() if state.dict[name] != value]
    if not changed:
        return
    values = {f"new_{name}": state.dict[name] for name in changed}
    values.update((f"key_{place}", value) for place, value in enumerate(state.identity))
    if _update(type(row), tuple(changed)).write(session, values) != 1:
        raise StaleDataError(f"a row of {type(row).__name__} is gone")


@lru_cache(256)
def _update(kind: type[SQLModel], names: tuple[str, ...]) -> Statement:
    """The statement that sets these attributes of one row: `new_` with their names, and its key: `key_0` and on."""
    mapper: Any = inspect(kind)
    found = (column == bindparam(f"key_{place}") for place, column in enumerate(mapper.primary_key))
    values: dict[Any, Any] = {mapper.columns[name]: bindparam(f"new_{name}") for name in names}
    return Statement(update(mapper.local_table).where(*found).values(values))
