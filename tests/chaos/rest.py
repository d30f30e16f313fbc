"""Whether a service is calm (it keeps up with its work) or at rest (no work is left)."""

from datetime import timedelta
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, SQLModel, col, exists, or_, select

from tests.chaos.mailbox import MoodyMailbox
from webapp.core.runtime import Runtime
from webapp.models import GameRow, GameState, InboundRow, LetterRow, LetterState, MailboxRow, PauseRow

PROMPT = timedelta(seconds=5)  # within which a service that is well does what is due
_OWED = LetterRow.state == LetterState.QUEUED
_PLAYING = GameRow.state == GameState.PLAYING
_UNREAD = col(InboundRow.handled_at).is_(None)


def is_calm(runtime: Runtime) -> bool:
    """Whether nothing is overdue but letters that the relay has put off, and the relay is used. Raises DatabaseDown."""
    now = runtime.now()
    late = now - PROMPT
    unsent = _OWED, LetterRow.tries == 0, col(LetterRow.created_at) <= late, LetterRow.next_at <= now + 2 * PROMPT
    unplayed = _PLAYING, or_(GameRow.wake_at <= late, GameRow.claims > 1)
    unread = _UNREAD, col(InboundRow.received_at) <= late
    with runtime.database.reading() as session:
        return not (
            _any(session, LetterRow, *unsent)
            or _any(session, GameRow, *unplayed)
            or _any(session, InboundRow, *unread)
            or _any(session, PauseRow, col(PauseRow.until) > now)
        )


def is_at_rest(runtime: Runtime) -> bool:
    """Whether nothing is due, or has been put off, or is with a worker. Raises DatabaseDown."""
    now = runtime.now()
    begun = or_(LetterRow.next_at <= now, LetterRow.tries > 0, col(LetterRow.claimed_by).is_not(None))
    with runtime.database.reading() as session:
        return not (
            _any(session, LetterRow, _OWED, begun)
            or _any(session, GameRow, _PLAYING, or_(GameRow.wake_at <= now, GameRow.claims > 0))
            or _any(session, InboundRow, _UNREAD)
        )


def is_read(runtime: Runtime, mailbox: MoodyMailbox | None) -> bool:
    """Whether the service has read all mails of its mailbox, if it has one. Raises DatabaseDown."""
    if mailbox is None:
        return True
    with runtime.database.reading() as session:
        places = session.exec(select(MailboxRow.validity, MailboxRow.last_uid)).all()
    return any(validity == mailbox.validity and last >= max(mailbox.mails, default=0) for validity, last in places)


def spare_the_waiting(runtime: Runtime) -> None:
    """Sets what the relay has put off, by minutes or more, to now: the only thing that a run does not wait for."""
    now = runtime.now()
    put_off = LetterRow.tries > 0, col(LetterRow.claimed_by).is_(None), col(LetterRow.next_at) > now
    with runtime.database.writing() as session:
        session.exec(update(LetterRow).where(_OWED, *put_off).values(next_at=now))
        session.exec(update(PauseRow).where(col(PauseRow.until) > now).values(until=now))
        session.exec(update(InboundRow).where(_UNREAD, col(InboundRow.next_at) > now + PROMPT).values(next_at=now))


def _any(session: Session, row: type[SQLModel], *conditions: Any) -> bool:
    return bool(session.exec(select(exists().where(*conditions).select_from(row))).one())
