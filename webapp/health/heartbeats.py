"""The signs of life of the scheduler and the workers, which every other process can see in the database.

A scheduler writes when all of its sweeps have last finished, and rings for a worker that writes in turn: so a worker's
sign of life shows that the broker passes rings on, too.
"""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import bindparam, text
from sqlmodel import Session, select
from sqlmodel.sql.sqltypes import UTCDateTime

from webapp.models import HeartbeatRow

SCHEDULER, WORKER = "scheduler", "worker"
INBOX = "inbox"  # whose sign of life is `games.clock.way_in`: that it lives says less than that it reads
EVERY = timedelta(seconds=10)

# One atomic statement on either database. Of several processes of a kind, the last sign of life counts.
_NOTE: Final = text(
    "INSERT INTO heartbeat (process, seen_at) VALUES (:process, :at) "
    "ON CONFLICT (process) DO UPDATE SET seen_at = excluded.seen_at WHERE heartbeat.seen_at < excluded.seen_at"
).bindparams(bindparam("at", type_=UTCDateTime()))


def note_alive(session: Session, process: str, at: datetime) -> None:
    """Records that a process of that kind was alive at `at`, unless one is known to have been later."""
    session.connection().execute(_NOTE, {"process": process, "at": at})


def last_seen(session: Session) -> dict[str, datetime]:
    """By kind of process, its last sign of life; a kind that was never seen is missing."""
    return {row.process: row.seen_at for row in session.exec(select(HeartbeatRow))}
