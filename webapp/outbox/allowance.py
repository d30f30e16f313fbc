"""Limits how many mails an address gets within 24 hours, across all tables, kinds of mail and workers.

The setting MAILS_A_DAY limits the mails about tables. Kinds of mail begin to wait at different shares of it
(`kinds.Cut`), so that reminders and news leave room for questions, and these for score sheets and digests. Personal
mails, such as sign-in links and answers, are counted apart, up to the same number, so that nobody who triggers many of
them can keep a player's questions from going out. Both together are at most a third more than the setting.

Mails that are kept for /mailbox are in nobody's inbox, and are not limited.
"""

import hashlib
import hmac
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from math import ceil, floor
from typing import Final, NamedTuple

from sqlalchemy import JSON, bindparam, column, delete, text
from sqlmodel import Session, col
from sqlmodel.sql.sqltypes import UTCDateTime

from webapp.core.runtime import Runtime
from webapp.kinds import KINDS, Cut
from webapp.models import LetterRow, MailedRow

DAY = timedelta(days=1)
_SECONDS = int(DAY.total_seconds())

# One statement that makes the row or finds it, locks it, and reads it, on either database.
_LOCK: Final = (
    text(
        "INSERT INTO mailed (whose, about_tables, personal, ends_at) VALUES (:whose, '{}', '{}', :ends_at) "
        "ON CONFLICT (whose) DO UPDATE SET ends_at = excluded.ends_at RETURNING whose, about_tables, personal"
    )
    .bindparams(bindparam("ends_at", type_=UTCDateTime()))
    .columns(column("whose"), column("about_tables", JSON), column("personal", JSON))
)
_COUNT: Final = text(
    "UPDATE mailed SET about_tables = :about_tables, personal = :personal WHERE whose = :whose"
).bindparams(bindparam("about_tables", type_=JSON), bindparam("personal", type_=JSON))

Mails = dict[str, int]


class _Counted(NamedTuple):
    """The mails to one address by letter, with the second in which they went."""

    whose: str
    about_tables: Mails
    personal: Mails


def take(session: Session, runtime: Runtime, letter: LetterRow, address: str, now: datetime) -> datetime | None:
    """Counts the letter, which is about to go to `address`. Returns None if it may go, else when to try again.

    Another attempt at a letter that is counted already may go, and counts as the same mail. Locks the count of the
    address: of two workers that have one mail left, the second sees what the first has taken.
    """
    if runtime.settings.keeps_mail:
        return None
    counted = _locked(session, runtime, address, now)
    mine, others = _counted_as(counted, letter, now)
    if str(letter.id) not in mine and (free_at := _free_at(runtime, letter, mine, others, now)) > now:
        return free_at
    _count(session, counted, letter, {**mine, str(letter.id): ceil(now.timestamp())}, others)
    return None


def give_back(session: Session, runtime: Runtime, letter: LetterRow, address: str, now: datetime) -> None:
    """Takes back the count of a letter that certainly has not arrived at `address`."""
    counted = _locked(session, runtime, address, now)
    mine, others = _counted_as(counted, letter, now)
    left = {letter_id: at for letter_id, at in mine.items() if letter_id != str(letter.id)}
    _count(session, counted, letter, left, others)


def forget_old(session: Session, now: datetime) -> None:
    """Deletes the counts of addresses that have got nothing within the last day."""
    session.exec(delete(MailedRow).where(col(MailedRow.ends_at) <= now))


def _locked(session: Session, runtime: Runtime, address: str, now: datetime) -> _Counted:
    key = runtime.keys[0].encode()
    whose = hmac.new(key, f"mailed {address.lower()}".encode(), hashlib.sha256).hexdigest()[:32]
    return _Counted(*session.connection().execute(_LOCK, {"whose": whose, "ends_at": now + DAY}).one())


def _counted_as(counted: _Counted, letter: LetterRow, now: datetime) -> tuple[Mails, Mails]:
    """The mails of the last day that are counted with the letter, and the others."""
    tables, personal = _recent(counted.about_tables, now), _recent(counted.personal, now)
    return (personal, tables) if _is_personal(letter) else (tables, personal)


def _count(session: Session, counted: _Counted, letter: LetterRow, mine: Mails, others: Mails) -> None:
    tables, personal = (others, mine) if _is_personal(letter) else (mine, others)
    values = {"whose": counted.whose, "about_tables": tables, "personal": personal}
    session.connection().execute(_COUNT, values)


def _is_personal(letter: LetterRow) -> bool:
    return KINDS[letter.kind].cut is Cut.LAST


def _recent(mails: Mails, now: datetime) -> Mails:
    return {letter_id: at for letter_id, at in mails.items() if at + _SECONDS > now.timestamp()}


def _free_at(runtime: Runtime, letter: LetterRow, mine: Mails, others: Mails, now: datetime) -> datetime:
    """When the letter may go: now, or once enough of the mails are a day old."""
    a_day = runtime.settings.mails_a_day
    most, most_together = floor(min(KINDS[letter.kind].cut.value, Fraction(1)) * a_day), floor(Cut.LAST.value * a_day)
    sent = sorted([*mine.values(), *others.values()])
    moments = (now, *(datetime.fromtimestamp(at + _SECONDS, UTC) for at in sent))
    return next(at for at in moments if _is_free(_recent(mine, at), _recent(others, at), most, most_together))


def _is_free(mine: Mails, others: Mails, most: int, most_together: int) -> bool:
    return len(mine) < most and len(mine) + len(others) < most_together
