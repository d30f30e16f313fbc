"""Claiming rows whose time has come: each goes to one worker, for a lease, after which it is due again.

One statement does it, so that two workers never get the same row: PostgreSQL passes over rows that another worker has
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
    row: Row,
    due_at: Mapped[Any],
    is_open: TextClause,
    now: datetime,
    most: int,
    **values: ColumnElement[Any] | datetime | str,
) -> list[int]:
    """Claims up to `most` rows, those first that are due longest, by setting `values` in them; returns their ids.

    `is_open` is a literal, so that the database uses the partial index.
    """
    id_column = col(row.id)  # type: ignore[attr-defined]
    due = select(id_column).where(is_open, due_at <= now).order_by(due_at).limit(most)
    due = due.with_for_update(skip_locked=True)
    claimed = update(row).where(id_column.in_(due)).values(**values)
    return sorted(session.exec(claimed.returning(id_column)).scalars())
