"""Counters for rate limits; the keys identify nobody.

`pages.limits` decides what is limited, how much is allowed, and what the keys are made of.
"""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import bindparam, delete, text
from sqlmodel import Session, col
from sqlmodel.sql.sqltypes import UTCDateTime

from webapp.models import CountRow

# One atomic statement on either database, so that concurrent callers get different results.
_ADD: Final = text(
    "INSERT INTO limit_count (key, used, ends_at) VALUES (:key, :amount, :ends_at) "
    "ON CONFLICT (key) DO UPDATE SET "
    "used = CASE WHEN limit_count.ends_at <= :now THEN 0 ELSE limit_count.used END + :amount, "
    "ends_at = CASE WHEN limit_count.ends_at <= :now THEN :ends_at ELSE limit_count.ends_at END "
    "RETURNING used"
).bindparams(bindparam("now", type_=UTCDateTime()), bindparam("ends_at", type_=UTCDateTime()))


def add(session: Session, key: str, amount: int, lasts: timedelta, now: datetime) -> int:
    """Adds `amount` to the count of `key` and returns the sum; a negative amount gives back what was not used.

    The count restarts at zero once `lasts` has passed since its first use.
    """
    given = {"key": key, "amount": amount, "now": now, "ends_at": now + lasts}
    counted = session.connection().execute(_ADD, given).scalar_one()
    if counted <= 0:
        session.exec(delete(CountRow).where(col(CountRow.key) == key))
    return int(counted)


def ends_at(session: Session, key: str, now: datetime) -> datetime:
    """When the count of `key` restarts; `now` if there is none."""
    row = session.get(CountRow, key)
    return row.ends_at if row else now


def forget_old(session: Session, now: datetime) -> None:
    """Deletes the counts that would restart."""
    session.exec(delete(CountRow).where(col(CountRow.ends_at) <= now))
