"""Limits how many mails an address gets within 24 hours, across all tables, kinds of mail and workers.

The setting MAILS_A_DAY limits the mails about tables. Kinds of mail begin to wait at different shares of it
(`kinds.Cut`), so that reminders and news leave room for questions, and these for score sheets and digests. Personal
mails, such as sign-in links and answers, are counted apart, up to the same number, so that nobody who triggers many of
them can keep a player's questions from going out. Both together are at most a third more than the setting.

Mails that are kept for /mailbox are in nobody's inbox, and are not limited.
"""

import hashlib
import hmac
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import cache
from math import ceil, floor
from typing import Final

from sqlalchemy import JSON, TextualSelect, bindparam, column, delete, text
from sqlmodel import Session, col
from sqlmodel.sql.sqltypes import UTCDateTime

from webapp.core.runtime import Runtime
from webapp.kinds import KINDS, Cut
from webapp.models import LetterRow, MailedRow

DAY = timedelta(days=1)
_SECONDS = int(DAY.total_seconds())

_COUNT: Final = text(
    "UPDATE mailed SET about_tables = :about_tables, personal = :personal WHERE whose = :whose"
).bindparams(bindparam("about_tables", type_=JSON), bindparam("personal", type_=JSON))

Mails = dict[str, int]


@dataclass(slots=True)
class _Counted:
    """The mails to one address by letter, with the second in which they went."""

    about_tables: Mails
    personal: Mails


def take(
    session: Session, runtime: Runtime, going: Iterable[tuple[LetterRow, str]], now: datetime
) -> dict[int, datetime]:
    """Counts the letters, each about to go to its address. Returns when to try those again that may not go, by id.

    Another attempt at a letter that is counted already may go, and counts as the same mail. Locks the counts of the
    addresses: of two workers that have one mail left, the second sees what the first has taken.
    """
    if runtime.settings.keeps_mail:
        return {}
    whose = [(letter, _whose(runtime, address)) for letter, address in going]
    counted = _locked(session, {one for _, one in whose}, now)
    waits = {}
    for letter, one in whose:
        mine, others = _counted_as(counted[one], letter, now)
        if str(letter.id) not in mine and (free_at := _free_at(runtime, letter, mine, others, now)) > now:
            waits[letter.id] = free_at
        else:
            counted[one] = _with(letter, {**mine, str(letter.id): ceil(now.timestamp())}, others)
    _count(session, counted)
    return waits


def give_back(session: Session, runtime: Runtime, letter: LetterRow, address: str, now: datetime) -> None:
    """Takes back the count of a letter that certainly has not arrived at `address`."""
    whose = _whose(runtime, address)
    mine, others = _counted_as(_locked(session, {whose}, now)[whose], letter, now)
    left = {letter_id: at for letter_id, at in mine.items() if letter_id != str(letter.id)}
    _count(session, {whose: _with(letter, left, others)})


def forget_old(session: Session, now: datetime) -> None:
    """Deletes the counts of addresses that have got nothing within the last day."""
    session.exec(delete(MailedRow).where(col(MailedRow.ends_at) <= now))


def _whose(runtime: Runtime, address: str) -> str:
    """What stands for an address in its row."""
    key = runtime.keys[0].encode()
    return hmac.new(key, f"mailed {address.lower()}".encode(), hashlib.sha256).hexdigest()[:32]


def _locked(session: Session, whose: Collection[str], now: datetime) -> dict[str, _Counted]:
    """The counts, locked in a fixed order."""
    if not whose:
        return {}
    names = {f"whose_{number}": one for number, one in enumerate(sorted(whose))}
    rows = session.connection().execute(_lock(len(whose)), {**names, "ends_at": now + DAY})
    return {one: _Counted(about_tables, personal) for one, about_tables, personal in rows}


@cache
def _lock(addresses: int) -> TextualSelect:
    """The statement that makes the rows of so many addresses or finds them, locks them, and reads them."""
    made = ", ".join(f"(:whose_{number}, '{{}}', '{{}}', :ends_at)" for number in range(addresses))
    return (
        text(
            f"INSERT INTO mailed (whose, about_tables, personal, ends_at) VALUES {made} "
            "ON CONFLICT (whose) DO UPDATE SET ends_at = excluded.ends_at RETURNING whose, about_tables, personal"
        )
        .bindparams(bindparam("ends_at", type_=UTCDateTime()))
        .columns(column("whose"), column("about_tables", JSON), column("personal", JSON))
    )


def _counted_as(counted: _Counted, letter: LetterRow, now: datetime) -> tuple[Mails, Mails]:
    """The mails of the last day that are counted with the letter, and the others."""
    tables, personal = _recent(counted.about_tables, now), _recent(counted.personal, now)
    return (personal, tables) if _is_personal(letter) else (tables, personal)


def _with(letter: LetterRow, mine: Mails, others: Mails) -> _Counted:
    """The mails that are counted with the letter, and the others, as a row has them."""
    return _Counted(others, mine) if _is_personal(letter) else _Counted(mine, others)


def _count(session: Session, counted: Mapping[str, _Counted]) -> None:
    values = [
        {"whose": whose, "about_tables": one.about_tables, "personal": one.personal} for whose, one in counted.items()
    ]
    if values:
        session.connection().execute(_COUNT, values)


def _is_personal(letter: LetterRow) -> bool:
    return KINDS[letter.kind].cut is Cut.LAST


def _recent(mails: Mails, now: datetime) -> Mails:
    a_day_ago = now.timestamp() - _SECONDS
    return {letter_id: at for letter_id, at in mails.items() if at > a_day_ago}


def _free_at(runtime: Runtime, letter: LetterRow, mine: Mails, others: Mails, now: datetime) -> datetime:
    """When the letter may go: now, or once enough of the mails, all of which are of the last day, are a day old."""
    most, most_together = _limits(KINDS[letter.kind].cut, runtime.settings.mails_a_day)
    if _is_free(mine, others, most, most_together):
        return now
    moments = (datetime.fromtimestamp(at + _SECONDS, UTC) for at in sorted([*mine.values(), *others.values()]))
    return next(at for at in moments if _is_free(_recent(mine, at), _recent(others, at), most, most_together))


@cache
def _limits(cut: Cut, a_day: int) -> tuple[int, int]:
    """How many mails may be counted with a letter of that cut, and how many in all."""
    return floor(min(cut.value, Fraction(1)) * a_day), floor(Cut.LAST.value * a_day)


def _is_free(mine: Mails, others: Mails, most: int, most_together: int) -> bool:
    return len(mine) < most and len(mine) + len(others) < most_together
