"""Deletes old letters' texts every day."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial

from sqlmodel import Session, col, or_, select, update

from webapp.core.batches import in_batches
from webapp.core.runtime import Runtime
from webapp.models import LetterRow, LetterState
from webapp.outbox.letters import NO_ADDRESS

KEPT_FOR = timedelta(days=30)
AT_ONCE = 200  # letters that one transaction changes


def forget_texts(runtime: Runtime, now: datetime) -> int:
    """Deletes the composed text of letters older than `KEPT_FOR`, what the relay said, which may quote addresses, and
    recipients that are not their players' own addresses. Returns the number of these letters.

    The rows stay, so that no worker sends a mail twice. Each transaction changes a few, so that no turn waits long.
    """
    return in_batches(runtime.database, partial(_old_with_text, now=now), _forget, "letter")


def _old_with_text(session: Session, last: int, *, now: datetime) -> Sequence[int]:
    """The next few of these letters, by number."""
    # One that is still queued may have arrived, and must go once more as it was.
    old = (col(LetterRow.created_at) < now - KEPT_FOR, col(LetterRow.state) != LetterState.QUEUED)
    has_text = or_(col(LetterRow.message).is_not(None), col(LetterRow.address) != NO_ADDRESS)
    found = select(LetterRow.id).where(*old, has_text, LetterRow.id > last)
    return session.exec(found.order_by(col(LetterRow.id)).limit(AT_ONCE)).all()


def _forget(session: Session, letter_ids: Sequence[int]) -> int:
    """Forgets what these letters said, but not what an operator has just queued again. Returns their number."""
    these = col(LetterRow.id).in_(letter_ids), col(LetterRow.state) != LetterState.QUEUED
    session.exec(update(LetterRow).where(*these, col(LetterRow.address).is_not(None)).values(address=NO_ADDRESS))
    return session.exec(update(LetterRow).where(*these).values(message=None, problem=None)).rowcount
