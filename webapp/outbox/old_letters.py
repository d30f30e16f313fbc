"""Deletes old letters' texts every day, and letters of ended games that no worker ever sent."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import ColumnElement
from sqlmodel import Session, and_, col, delete, exists, func, not_, or_, select, update

from webapp.core.batches import in_batches
from webapp.core.runtime import Runtime
from webapp.models import GameRow, LetterRow, LetterState, OperatorActRow
from webapp.outbox.letters import NO_ADDRESS

KEPT_FOR = timedelta(days=30)
AT_ONCE = 200  # letters that one transaction changes or deletes


def forget_texts(runtime: Runtime, now: datetime) -> int:
    """Deletes the composed text of letters older than `KEPT_FOR`, what the relay said, which may quote addresses, and
    recipients that are not their players' own addresses. Returns the number of these letters.

    The rows stay, so that no worker sends a mail twice. Each transaction changes a few, so that no turn waits long.
    """
    return in_batches(runtime.database, partial(_old_with_text, now=now), _forget)


def _old_with_text(session: Session, last: int, *, now: datetime) -> Sequence[int]:
    """The next few of these letters, by number."""
    old = (col(LetterRow.created_at) < now - KEPT_FOR, col(LetterRow.state) != LetterState.QUEUED)
    has_text = or_(col(LetterRow.message).is_not(None), col(LetterRow.address) != NO_ADDRESS)
    found = select(LetterRow.id).where(*old, has_text, LetterRow.id > last)
    return session.exec(found.order_by(col(LetterRow.id)).limit(AT_ONCE)).all()


def _forget(session: Session, letter_ids: Sequence[int]) -> int:
    """Forgets what these letters said, but not what an operator has just queued again. Returns their number."""
    these = col(LetterRow.id).in_(letter_ids), col(LetterRow.state) != LetterState.QUEUED
    session.exec(update(LetterRow).where(*these, col(LetterRow.address).is_not(None)).values(address=NO_ADDRESS))
    return session.exec(update(LetterRow).where(*these).values(message=None, problem=None)).rowcount


def delete_unsent(runtime: Runtime, now: datetime) -> int:
    """Deletes the letters that no worker ever sent, when their game has been over for `KEPT_FOR`: mostly questions that
    were answered before. Returns how many it deleted.

    While a game runs, the row of such a letter still says which letter may not be queued again.
    """
    return in_batches(runtime.database, partial(_unsent_after, now=now), _delete)


def _unsent_after(session: Session, last: int, *, now: datetime) -> Sequence[int]:
    """The next few of these letters, by number."""
    is_over = exists().where(col(GameRow.id) == LetterRow.game_id, col(GameRow.ended_at) < now - KEPT_FOR)
    found = select(LetterRow.id).where(_is_unsent(), is_over, LetterRow.id > last)
    return session.exec(found.order_by(col(LetterRow.id)).limit(AT_ONCE)).all()


def _is_unsent() -> ColumnElement[bool]:
    """Selects letters that no worker has composed, of which no device was notified, and that no row refers to.

    Not the newest letter: SQLite would give its number to the next one, and addresses name letters by their numbers.
    """
    newest = select(func.max(LetterRow.id)).scalar_subquery()
    is_named = exists().where(col(OperatorActRow.letter_id) == LetterRow.id)
    unseen = (col(LetterRow.subject).is_(None), col(LetterRow.sent_at).is_(None), col(LetterRow.notified_at).is_(None))
    return and_(LetterRow.state == LetterState.SUPERSEDED, *unseen, col(LetterRow.id) < newest, not_(is_named))


def _delete(session: Session, letter_ids: Sequence[int]) -> int:
    these = col(LetterRow.id).in_(letter_ids), col(LetterRow.state) == LetterState.SUPERSEDED
    return session.exec(delete(LetterRow).where(*these)).rowcount
