"""Deletes what an ended game leaves in the outbox and nobody got: mostly reminders that were not needed."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from sqlalchemy import ColumnElement
from sqlmodel import Session, and_, col, delete, exists, func, not_, select

from webapp.core.batches import in_batches
from webapp.core.runtime import Runtime
from webapp.models import GameRow, LetterRow, LetterState, OperatorActRow
from webapp.outbox.letters import AT_ONCE, KEPT_FOR


def delete_old(runtime: Runtime, now: datetime) -> int:
    """Deletes the letters about games that ended before KEPT_FOR which were superseded before anything was composed.

    While a game runs, the row of such a letter says what may not be queued again. Returns how many it deleted.
    """
    return in_batches(runtime.database, partial(_letters_after, now=now), _delete)


def _letters_after(session: Session, last: int, *, now: datetime) -> Sequence[int]:
    """The next few of these letters, by number."""
    is_over = exists().where(col(GameRow.id) == LetterRow.game_id, col(GameRow.ended_at) < now - KEPT_FOR)
    found = select(LetterRow.id).where(_is_unsent(), is_over, LetterRow.id > last)
    return session.exec(found.order_by(col(LetterRow.id)).limit(AT_ONCE)).all()


def _is_unsent() -> ColumnElement[bool]:
    """Selects letters that nobody got and that nothing refers to.

    Not the newest letter: SQLite would give its number to the next one, and addresses name letters by their numbers.
    """
    newest = select(func.max(LetterRow.id)).scalar_subquery()
    is_named = exists().where(col(OperatorActRow.letter_id) == LetterRow.id)
    unseen = (col(LetterRow.subject).is_(None), col(LetterRow.sent_at).is_(None), col(LetterRow.notified_at).is_(None))
    return and_(LetterRow.state == LetterState.SUPERSEDED, *unseen, col(LetterRow.id) < newest, not_(is_named))


def _delete(session: Session, letter_ids: Sequence[int]) -> int:
    these = col(LetterRow.id).in_(letter_ids), col(LetterRow.state) == LetterState.SUPERSEDED
    return session.exec(delete(LetterRow).where(*these)).rowcount
