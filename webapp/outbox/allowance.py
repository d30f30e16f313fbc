"""Limits how many mails an address gets within 24 hours, across all tables, kinds of mail and workers.

The setting MAILS_A_DAY limits the mails about tables. Kinds of mail begin to wait at different shares of it
(`kinds.Cut`), so that news leave room for questions, and these for score sheets. Personal mails, such as sign-in links
and answers, are counted apart, up to the same number, so that nobody who triggers many of them can keep a player's
questions from going out. Both together are at most a third more than the setting.

Mails that are kept for /mailbox are in nobody's inbox, and are not limited.
"""

import hashlib
import hmac
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import cache
from math import ceil, floor

from sqlalchemy import bindparam, delete, text
from sqlmodel import Session, col
from sqlmodel.sql.sqltypes import UTCDateTime

from webapp.core.runtime import Runtime
from webapp.models import LetterRow, MailedRow
from webapp.models.mail import KINDS, Cut

DAY = timedelta(days=1)
_SECONDS = int(DAY.total_seconds())

# Whether the row is there or not, this locks it: of two workers that insert it, the second waits for the first.
_LOCK = text(
    "INSERT INTO mailed (whose, about_tables, personal, ends_at) VALUES (:whose, '{}', '{}', :ends_at) "
    "ON CONFLICT (whose) DO UPDATE SET ends_at = excluded.ends_at"
).bindparams(bindparam("ends_at", type_=UTCDateTime()))

Mails = dict[str, int]


def take(session: Session, runtime: Runtime, letter: LetterRow, address: str, now: datetime) -> datetime | None:
    """Counts the letter, which is about to go to `address`. Returns when to try it again if it may not go.

    Another attempt at a letter that is counted already may go, and counts as the same mail. Locks the count of the
    address: of two workers that have one mail left, the second sees what the first has taken.
    """
    if runtime.settings.keeps_mail:
        return None
    row = _locked(session, _whose(runtime, address), now)
    mine, others = _counted_as(row, letter, now)
    most, most_together = _limits(KINDS[letter.kind].cut, runtime.settings.mails_a_day)
    if str(letter.id) not in mine and not _is_free(mine, others, most, most_together):
        # All that are counted are of the last day: it may go once enough of them are a day old.
        moments = (datetime.fromtimestamp(at + _SECONDS, UTC) for at in sorted([*mine.values(), *others.values()]))
        return next(at for at in moments if _is_free(_recent(mine, at), _recent(others, at), most, most_together))
    # Rounded up: a mail that counts for less than a day lets one too many go.
    _count(row, letter, {**mine, str(letter.id): ceil(now.timestamp())}, others)
    return None


def give_back(session: Session, runtime: Runtime, letter: LetterRow, address: str, now: datetime) -> None:
    """Takes back the count of a letter that certainly has not arrived at `address`."""
    row = _locked(session, _whose(runtime, address), now)
    mine, others = _counted_as(row, letter, now)
    _count(row, letter, {letter_id: at for letter_id, at in mine.items() if letter_id != str(letter.id)}, others)


def forget_old(session: Session, now: datetime) -> None:
    """Deletes the counts of addresses that have got nothing within the last day."""
    session.exec(delete(MailedRow).where(col(MailedRow.ends_at) <= now))


def _whose(runtime: Runtime, address: str) -> str:
    """Returns the keyed hash that stands for an address in its row."""
    # With a key: whoever has a copy of the database could find addresses by hashing guesses.
    key = runtime.keys[0].encode()
    return hmac.new(key, f"mailed {address.lower()}".encode(), hashlib.sha256).hexdigest()[:32]


def _locked(session: Session, whose: str, now: datetime) -> MailedRow:
    """The counts of an address, whose row is made if there is none, and locked."""
    session.connection().execute(_LOCK, {"whose": whose, "ends_at": now + DAY})
    return session.get_one(MailedRow, whose, populate_existing=True)


def _counted_as(row: MailedRow, letter: LetterRow, now: datetime) -> tuple[Mails, Mails]:
    """The mails of the last day that are counted with the letter, and the others."""
    tables, personal = _recent(row.about_tables, now), _recent(row.personal, now)
    return (personal, tables) if _is_personal(letter) else (tables, personal)


def _count(row: MailedRow, letter: LetterRow, mine: Mails, others: Mails) -> None:
    """Stores the mails that are counted with the letter, and the others."""
    row.about_tables, row.personal = (others, mine) if _is_personal(letter) else (mine, others)


def _is_personal(letter: LetterRow) -> bool:
    return KINDS[letter.kind].cut is Cut.LAST


def _recent(mails: Mails, now: datetime) -> Mails:
    a_day_ago = now.timestamp() - _SECONDS
    return {letter_id: at for letter_id, at in mails.items() if at > a_day_ago}


@cache
def _limits(cut: Cut, a_day: int) -> tuple[int, int]:
    """How many mails may be counted with a letter of that cut, and how many in all."""
    return floor(min(cut.value, Fraction(1)) * a_day), floor(Cut.LAST.value * a_day)


def _is_free(mine: Mails, others: Mails, most: int, most_together: int) -> bool:
    return len(mine) < most and len(mine) + len(others) < most_together
