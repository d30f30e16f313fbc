"""Eras: what a restored backup has lost, and what must not open anything any more therefore.

After a restore the database gives out the ids again that it had given out since the backup, to others. So no link and
no cookie that was signed in between is valid, and the address of a letter is signed with the era in which it was made.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from itsdangerous import SignatureExpired, TimestampSigner
from sqlalchemy import column, select, table

from webapp.core.database import Database

SKEW = timedelta(seconds=10)  # by which the clock of the machine that signed may have been behind
_RESTORATION = table("restoration", column("backed_up_at"), column("restored_at"), column("letters"))


@dataclass(frozen=True, slots=True)
class Restoration:
    """One restore: the time that is lost, and the id of the last letter that is not."""

    backed_up_at: datetime
    restored_at: datetime
    letters: int

    @property
    def era(self) -> str:
        """The name of the time after it."""
        return self.restored_at.isoformat()


Eras = Callable[[], tuple[Restoration, ...]]  # in order


def no_restorations() -> tuple[Restoration, ...]:
    """Returns the restorations of a database that was never restored: none."""
    return ()


def restorations(database: Database) -> tuple[Restoration, ...]:
    """Returns the restorations that the database notes, in order."""
    with database.reading() as session:
        rows = session.connection().execute(select(_RESTORATION).order_by(_RESTORATION.c.restored_at)).all()
    return tuple(Restoration(_in_utc(row.backed_up_at), _in_utc(row.restored_at), row.letters) for row in rows)


def is_lost(eras: tuple[Restoration, ...], signed_at: datetime) -> bool:
    """Whether what was signed then was signed in a time that is lost."""
    return any(one.backed_up_at - SKEW <= signed_at < one.restored_at for one in eras)


def era_of(eras: tuple[Restoration, ...], letter_id: int) -> str:
    """The era in which a letter was made; empty before the first restore."""
    return next((one.era for one in reversed(eras) if letter_id > one.letters), "")


def _in_utc(at: datetime | str) -> datetime:
    """SQLite knows text alone."""
    found = datetime.fromisoformat(at) if isinstance(at, str) else at
    return found.replace(tzinfo=found.tzinfo or UTC)


# Tolerance for clock skew: a time that one machine notes may be in another's future, or be over too soon.
# Timestamped signatures are accepted five minutes early and five minutes late, and rings (`bell`) last that much longer
# than they need to. The clock of the database decides what is due (`database_clock`).

TOLERANCE = timedelta(minutes=5)


class TolerantSigner(TimestampSigner):
    """The library's signer, which also accepts a signature that is up to `TOLERANCE` too new or too old.

    It accepts none from a time that a restore has lost (`eras`).
    """

    def __init__(self, *args: Any, eras: Eras = no_restorations, **others: Any) -> None:
        super().__init__(*args, **others)
        self._eras = eras

    def unsign(self, signed_value: str | bytes, max_age: int | None = None, return_timestamp: bool = False) -> Any:
        value, signed_at = super().unsign(signed_value, return_timestamp=True)
        if is_lost(self._eras(), signed_at):
            raise SignatureExpired("Signed in a time that is lost", payload=value, date_signed=signed_at)
        age, most = time.time() - signed_at.timestamp(), TOLERANCE.total_seconds()
        if max_age is not None and not -most <= age <= max_age + most:
            raise SignatureExpired(f"Signature age {age:.0f} seconds", payload=value, date_signed=signed_at)
        return (value, signed_at) if return_timestamp else value
