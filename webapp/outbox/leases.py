"""Leases on letters: one worker claims a letter and renews its lease; if the worker dies, the lease ends in seconds.

Each claim has a unique name, which is stored in the row. A worker that was frozen until its leases ended finds another
name there, and does not send those letters.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import uuid4

from sqlalchemy import bindparam, text
from sqlmodel import Session, col, func, select, update

from webapp.core import claims
from webapp.models import LetterKind, LetterRow, LetterState

LEASE = timedelta(seconds=20)
_QUEUED = text("state = 'queued'")  # as a literal, as in the index
# Run for every mail, and it takes longer to build than to run.
_AMONG = (col(LetterRow.id).in_(bindparam("letter_ids", expanding=True)), LetterRow.claimed_by == bindparam("by"))
_HELD = select(LetterRow).where(*_AMONG, _QUEUED).order_by(col(LetterRow.id)).execution_options(populate_existing=True)
_LOCKED = _HELD.with_for_update(key_share=True)
_FREE = _HELD.with_for_update(key_share=True, skip_locked=True)
_HELD_IDS = select(LetterRow.id).where(*_AMONG, _QUEUED)


def new_claim() -> str:
    """A unique name for a claim."""
    return uuid4().hex


def claim(session: Session, now: datetime, most: int, by: str) -> dict[int, LetterKind]:
    """Claims up to `most` letters, longest due first, for one lease by the claim `by`. Returns their kinds by id."""
    until = now + LEASE
    ids = claims.claim(session, LetterRow, col(LetterRow.next_at), _QUEUED, now, most, next_at=until, claimed_by=by)
    found = select(LetterRow.id, LetterRow.kind).where(col(LetterRow.id).in_(ids)).order_by(col(LetterRow.id))
    return {letter_id: LetterKind(kind) for letter_id, kind in session.exec(found)} if ids else {}


def renew(session: Session, letter_ids: Collection[int], by: str, now: datetime) -> list[int]:
    """Renews the leases of those letters that the claim `by` still has, and returns their ids.

    A letter that is locked by another transaction is left out; its lease stays as it was.
    """
    held = (
        select(LetterRow.id)
        .where(col(LetterRow.id).in_(letter_ids), LetterRow.claimed_by == by, _QUEUED)
        .order_by(col(LetterRow.id))
        .with_for_update(skip_locked=True)
    )
    renewed = update(LetterRow).where(col(LetterRow.id).in_(held)).values(next_at=now + LEASE)
    return list(session.exec(renewed.returning(col(LetterRow.id))).scalars())


def held_letters(
    session: Session, letter_ids: Collection[int], by: str, *, even_locked: bool = True
) -> list[LetterRow]:
    """Locks and returns those of the letters that are still queued and that the claim `by` still has.

    Waits for those that another transaction has locked; not `even_locked`: leaves them out.
    """
    held = _LOCKED if even_locked else _FREE
    return list(session.exec(held, params={"letter_ids": list(letter_ids), "by": by}))


def held_ids(session: Session, letter_ids: Collection[int], by: str) -> set[int]:
    """The ids of the same letters, which it does not lock."""
    return set(session.exec(_HELD_IDS, params={"letter_ids": list(letter_ids), "by": by}))


def is_held(letter: LetterRow, by: str) -> bool:
    """Whether the claim `by` has the letter, as far as the session knows that has locked it."""
    return letter.state is LetterState.QUEUED and letter.claimed_by == by


def hand_back(session: Session, letter_ids: Collection[int], by: str, now: datetime) -> None:
    """Ends the leases of those letters that the claim `by` still has, so that another worker can claim them.

    Leaves the lease as it is of a letter that is locked by another transaction, which mostly answers it.
    """
    for letter in held_letters(session, letter_ids, by, even_locked=False):
        put_off(letter, now)


def put_off(letter: LetterRow, until: datetime) -> None:
    """Makes a letter wait in the queue until `until`, and ends its lease."""
    letter.state, letter.next_at, letter.claimed_by = LetterState.QUEUED, until, None


def count_queued(session: Session, now: datetime) -> int:
    """How many queued letters are due and not claimed by any worker."""
    return session.exec(select(func.count()).select_from(LetterRow).where(_QUEUED, col(LetterRow.next_at) <= now)).one()
