"""The queues in the database, with waiting times: games for a robot or a deadline, letters, questions, incoming mail.

Each figure takes queries by an index over open rows, so that it may be asked for every few seconds.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, case, literal_column, or_, text
from sqlmodel import Session, col, func, select

from webapp.models import WAITING_QUESTION, GameRow, InboundRow, LetterRow, PlayerRow
from webapp.play.due_games import LEASES

QUESTION_SECONDS = 300.0  # a question that no relay has accepted by then is a fault
_PLAYING, _QUEUED, _UNHANDLED = text("state = 'playing'"), text("state = 'queued'"), text("handled_at IS NULL")


@dataclass(frozen=True, slots=True)
class Queue:
    """How many rows wait, and for how many seconds the one that has waited longest; 0 seconds if none waits."""

    name: str
    waiting: int
    oldest: float


def queues(session: Session, now: datetime) -> Iterator[Queue]:
    """All queues: "games", "letters", "questions" and "inbound"."""
    yield overdue_games(session, now)
    yield queued_letters(session, now)
    yield late_questions(session, now)
    yield unread_mail(session, now)


def overdue_games(session: Session, now: datetime) -> Queue:
    """Games whose deadline is over, or in which a robot has to play or a reminder is due, whether or not a worker has
    been rung for.
    """
    is_late = col(GameRow.due_at) <= now
    since = case((is_late, col(GameRow.due_at)), else_=col(GameRow.wake_at))
    soon = col(GameRow.wake_at) <= now + LEASES[-1]  # a claim moves `wake_at` ahead by a lease
    return _queue(session, "games", since, now, _PLAYING, and_(soon, or_(is_late, col(GameRow.wake_at) <= now)))


def queued_letters(session: Session, now: datetime) -> Queue:
    """Letters that should be out: due, or tried without success. One that was tried counts from when it was due first.

    A letter that waits because of its reader's preferences, a daily limit or a slow domain is not due.
    """
    was_tried = col(LetterRow.tries) > 0
    since = case((was_tried, col(LetterRow.created_at)), else_=col(LetterRow.next_at))
    return _queue(session, "letters", since, now, _QUEUED, or_(col(LetterRow.next_at) <= now, was_tried))


def late_questions(session: Session, now: datetime) -> Queue:
    """Mails about turns that no relay has accepted within QUESTION_SECONDS, and players at whom no worker has looked
    for as long: they do not know that it is their turn.
    """
    until = now - timedelta(seconds=QUESTION_SECONDS)
    since, look_at = col(LetterRow.created_at), col(PlayerRow.turns_at)
    mails = _queue(session, "questions", since, now, text(WAITING_QUESTION), since <= until)
    players = _queue(session, "questions", look_at, now, text("turns_at IS NOT NULL"), look_at <= until)
    return Queue("questions", mails.waiting + players.waiting, max(mails.oldest, players.oldest))


def unread_mail(session: Session, now: datetime) -> Queue:
    """Incoming mails that no worker has handled yet."""
    since = col(InboundRow.received_at)
    return _queue(session, "inbound", since, now, _UNHANDLED, since <= now)


def _queue(session: Session, name: str, since: Any, now: datetime, is_open: Any, is_due: ColumnElement[bool]) -> Queue:
    """`is_open` is a literal, so that the partial index is used."""
    found = select(func.count(literal_column("*")), func.min(since)).where(is_open, is_due)
    number, first = session.exec(found).one()
    return Queue(name, number, max(0.0, (now - first).total_seconds()) if first else 0.0)
