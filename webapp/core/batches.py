"""Works through many items, so that none holds up the others, and claims rows that are due."""

import logging
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, TextClause
from sqlalchemy.orm import Mapped
from sqlmodel import Session, SQLModel, col, select, update

from webapp.core.database import Database, DatabaseDown
from webapp.core.log import about

# Works through many items, so that none holds up the others: neither by its locks nor by a failure.

Item = TypeVar("Item")
Find = Callable[[Session, int], Sequence[int]]
BatchChange = Callable[[Session, Sequence[int]], int]
TRIED_AGAIN_AFTER = timedelta(hours=1)  # where one that has failed is put off
log = logging.getLogger(__name__)


def one_by_one(
    what: str,
    items: Iterable[Item],
    do: Callable[[Item], object],
    put_off: Callable[[Item], object] | None = None,
) -> None:
    """Does each of the items. One that fails is logged as `what`, by its number, and put off, and the next is done.

    Raises DatabaseDown: then no other item can be done, either.
    """
    for item in items:
        if not _is_done(what, item, do) and put_off is not None:
            _is_done(what, item, put_off)


def in_batches(database: Database, find: Find, change: BatchChange, what: str) -> int:
    """Changes all rows that `find` finds, a batch in each transaction. Returns the sum of what `change` returns.

    `find` takes an id and returns the next few ids after it, in order. Other transactions may commit between `find` and
    `change`, which takes the same ids: it locks the rows, and looks again which of them it should change. If a batch
    fails, its rows are changed one by one; one that fails again is logged as `what`, and stays for the next call.
    """
    last = changed = 0

    def change_together(ids: Sequence[int]) -> None:
        nonlocal changed
        with database.writing() as session:
            number = change(session, ids)
        changed += number

    while True:
        with database.reading() as session:
            ids = find(session, last)
        if not ids:
            return changed
        try:
            change_together(ids)
        except DatabaseDown:
            raise
        except Exception:  # noqa: BLE001  alone, each that fails is logged
            log.warning("%d rows could not be changed together (%s); each is tried alone", len(ids), what)
            one_by_one(what, ids, lambda one: change_together([one]))
        last = ids[-1]


def _is_done(what: str, item: Item, do: Callable[[Item], object]) -> bool:
    with about(**{what: item if isinstance(item, int) else str(item)}):
        try:
            do(item)
        except DatabaseDown:
            raise
        except Exception:
            log.exception("%s %s failed; the next is done", what, item)
            return False
    return True


# Claims rows that are due: each goes to one worker for a lease, after which it is due again.
# A claim is one statement, so that two workers never get the same row: PostgreSQL skips rows that another worker has
# locked, and SQLite lets one connection write at a time.

Row = type[SQLModel]


def claim(
    session: Session,
    row_class: Row,
    due_at: Mapped[Any],
    is_open: TextClause,
    now: datetime,
    limit: int,
    *also: ColumnElement[bool],
    **values: ColumnElement[Any] | datetime | str,
) -> list[int]:
    """Claims up to `limit` open rows that are due, longest due first, by setting `values`; returns their ids.

    `due_at` is the column by which they are due, `also` are further conditions. `is_open` must be a literal, so that
    the partial index is used.
    """
    id_column = col(row_class.id)  # type: ignore[attr-defined]
    due = select(id_column).where(is_open, due_at <= now, *also).order_by(due_at).limit(limit)
    # An expression of its own is read once. A subquery, PostgreSQL would repeat for each row if it believed that there
    # are few, and each time skip those that it has just claimed.
    found = due.with_for_update(skip_locked=True).cte("due")
    claimed = update(row_class).where(id_column.in_(select(found.c.id))).values(**values).returning(id_column)
    # Past the ORM: it would look each row up in the session, where no caller has loaded any.
    return sorted(session.connection().execute(claimed).scalars().all())
