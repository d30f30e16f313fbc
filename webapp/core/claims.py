"""Claims rows that are due: each goes to one worker for a lease, after which it is due again.

A claim is one statement, so that two workers never get the same row: PostgreSQL skips rows that another worker has
locked, and SQLite lets one connection write at a time.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, TextClause
from sqlalchemy.orm import Mapped
from sqlmodel import Session, SQLModel, col, select, update

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
