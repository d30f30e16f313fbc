"""Letters in the hands of workers: claimed by one of them, kept while it lives, and free seconds after it has died.

A claim has a name of its own, which stands in the row: a worker that was frozen for so long that others took its
letters finds another name there, and leaves them alone.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import uuid4

from sqlalchemy import text
from sqlmodel import Session, col, func, select, update

from webapp.core import claims
from webapp.models import LetterRow, LetterState

LEASE = timedelta(seconds=20)
_QUEUED = text("state = 'owed'")  # as a literal, as in the index


def new_claim() -> str:
    """A name for a claim, which no other claim has."""
    return uuid4().hex


def claim(session: Session, now: datetime, most: int, by: str) -> list[int]:
    """Up to `most` letters that are owed now, the oldest first, for a lease those of the claim `by` alone."""
    until = now + LEASE
    return claims.claim(session, LetterRow, col(LetterRow.next_at), _QUEUED, now, most, next_at=until, claimed_by=by)


def renew(session: Session, letter_ids: Collection[int], by: str, now: datetime) -> list[int]:
    """Those of the letters that the claim `by` still has; it has them for a whole lease again.

    A letter that somebody has locked at this moment is left out, and has its lease as before.
    """
    held = (
        select(LetterRow.id)
        .where(col(LetterRow.id).in_(letter_ids), LetterRow.claimed_by == by, _QUEUED)
        .order_by(col(LetterRow.id))
        .with_for_update(skip_locked=True)
    )
    renewed = update(LetterRow).where(col(LetterRow.id).in_(held)).values(next_at=now + LEASE)
    return list(session.exec(renewed.returning(col(LetterRow.id))).scalars())


def held_letters(session: Session, letter_ids: Collection[int], by: str) -> list[LetterRow]:
    """Those of the letters that are owed and that the claim `by` still has, locked."""
    held = select(LetterRow).where(col(LetterRow.id).in_(letter_ids), LetterRow.claimed_by == by, _QUEUED)
    locked = held.order_by(col(LetterRow.id)).with_for_update(key_share=True)
    return list(session.exec(locked.execution_options(populate_existing=True)))


def hand_back(session: Session, letter_ids: Collection[int], by: str, now: datetime) -> None:
    """Gives what the claim `by` still has of the letters free for whoever comes next."""
    for letter in held_letters(session, letter_ids, by):
        put_off(letter, now)


def put_off(letter: LetterRow, until: datetime) -> None:
    """A letter that is owed waits until then; no worker has it."""
    letter.state, letter.next_at, letter.claimed_by = LetterState.QUEUED, until, None


def count_owed(session: Session, now: datetime) -> int:
    """How many letters are owed now and claimed by nobody."""
    return session.exec(select(func.count()).select_from(LetterRow).where(_QUEUED, col(LetterRow.next_at) <= now)).one()
