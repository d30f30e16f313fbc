"""Leases on letters: one worker claims a letter; if the worker dies, the lease ends, and another can claim it.

Each claim has a unique name, which is stored in the row. A worker that was frozen until its leases ended finds another
name there, and does not send those letters.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import uuid4

from sqlalchemy import text
from sqlmodel import Session, col, func, select

from webapp.core import batches
from webapp.models import LetterKind, LetterRow, LetterState

LEASE = timedelta(seconds=30)  # of a letter that its worker has not begun
_QUEUED = text("state = 'queued'")  # as a literal, as in the index


def new_claim() -> str:
    """A unique name for a claim."""
    return uuid4().hex


def claim(session: Session, now: datetime, most: int, by: str) -> dict[int, LetterKind]:
    """Claims up to `most` letters, longest due first, for one lease by the claim `by`. Returns their kinds by id.

    Leaves letters of a kind that this version does not know to a newer one, which may run beside it.
    """
    until, known = now + LEASE, col(LetterRow.kind).in_(list(LetterKind))
    due_at = col(LetterRow.next_at)
    ids = batches.claim(session, LetterRow, due_at, _QUEUED, now, most, known, next_at=until, claimed_by=by)
    found = select(LetterRow.id, LetterRow.kind).where(col(LetterRow.id).in_(ids)).order_by(col(LetterRow.id))
    return {letter_id: LetterKind(kind) for letter_id, kind in session.exec(found)} if ids else {}


def held_letters(
    session: Session, letter_ids: Collection[int], by: str, *, even_locked: bool = True
) -> list[LetterRow]:
    """Locks and returns those of the letters that are still queued and that the claim `by` still has.

    Waits for those that another transaction has locked; not `even_locked`: leaves them out.
    """
    held = select(LetterRow).where(col(LetterRow.id).in_(letter_ids), LetterRow.claimed_by == by, _QUEUED)
    # By number: of two workers that lock some of the same letters, neither waits for ever.
    held = held.order_by(col(LetterRow.id)).with_for_update(key_share=True, skip_locked=not even_locked)
    # Read anew: what this session has read before the lock may be older than another worker's note.
    return list(session.exec(held.execution_options(populate_existing=True)))


def hand_back(session: Session, letter_ids: Collection[int], by: str, now: datetime) -> None:
    """Ends the leases of the letters that the claim `by` still has, so that another worker can claim them.

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
