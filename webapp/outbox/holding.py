"""Whether mail goes: an operator may hold all sending, by a row that every sender reads, and the relay may be down.

Deletes pauses that are over.
"""

from datetime import UTC, datetime, timedelta

from sqlmodel import Session, col, delete

from webapp import acts
from webapp.models import OperatorAct, PauseRow

HELD = "(held)"  # no domain has such a name
EVERY_DOMAIN = "*"  # paused while the relay itself takes no mails of ours
A_MOMENT = timedelta(minutes=2)  # longer than any pause of the relay: by then it has been tried again
FOR_EVER = datetime(9999, 12, 31, tzinfo=UTC)


def hold(session: Session, by: str, now: datetime) -> None:
    """Holds all sending from now on, and notes that the operator `by` did. Idempotent: the first moment stays."""
    if session.get(PauseRow, HELD) is None:
        session.add(PauseRow(domain=HELD, until=FOR_EVER, reason=now.isoformat()))
        acts.note_act(session, OperatorAct.HOLD, by, now)


def resume(session: Session, by: str, now: datetime) -> None:
    """Ends the hold, if there is one, and notes that the operator `by` did."""
    if row := session.get(PauseRow, HELD):
        session.delete(row)
        acts.note_act(session, OperatorAct.RESUME, by, now)


def forget_old(session: Session, now: datetime) -> None:
    """Deletes the pauses of domains that are over."""
    session.exec(delete(PauseRow).where(col(PauseRow.until) < now))


def held_since(session: Session) -> datetime | None:
    """Since when all sending is held; None if it is not."""
    row = session.get(PauseRow, HELD)
    return datetime.fromisoformat(row.reason) if row else None


def nothing_goes(session: Session, now: datetime) -> bool:
    """Whether no letter can go to anybody: an operator holds all, or the relay took none until a moment ago."""
    pause = session.get(PauseRow, EVERY_DOMAIN)
    is_down = pause is not None and pause.until > now - A_MOMENT
    return is_down or held_since(session) is not None
