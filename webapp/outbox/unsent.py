"""Deletes the letters of ended games that no worker ever sent: mostly questions that were answered before."""

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
    """Deletes such letters once their game has been over for KEPT_FOR. Returns how many it deleted.

    While a game runs, the row of such a letter still says which letter may not be queued again.
    """
    return in_batches(runtime.database, partial(_letters_after, now=now), _delete)


def _letters_after(session: Session, last: int, *, now: datetime) -> Sequence[int]:
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
