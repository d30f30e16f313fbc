"""Whether mail goes: an operator may hold all sending, a domain may have asked for a pause, the relay may take none.

Each is a row that every sender reads. Deletes pauses that are over.
"""

from datetime import UTC, datetime, timedelta

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, select

from webapp import acts
from webapp.models import LetterRow, OperatorAct, PauseRow

HELD = "(held)"  # no domain has such a name
REFUSED = "(refused)"  # the players whose letters our relay has refused in a row, without a reason
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
    """Deletes the pauses that are over."""
    # A moment later than they end: `resting` still reads whether the relay was down.
    session.exec(delete(PauseRow).where(col(PauseRow.until) < now - A_MOMENT))


def pause(session: Session, domain: str, until: datetime, reason: str, since: datetime | None = None) -> datetime:
    """Pauses the domain until `until`, or longer if a longer pause was recorded. Returns the end of the pause."""
    row = session.get(PauseRow, domain, with_for_update=True)
    if row is None:
        try:
            # In a savepoint, since an insert that fails would end the whole transaction.
            with session.begin_nested():
                session.add(PauseRow(domain=domain, until=until, reason=reason, since=since))
            return until
        except IntegrityError:  # another worker has just paused it, too
            row = session.get_one(PauseRow, domain, populate_existing=True)
    row.until, row.reason, row.since = max(row.until, until), reason, since
    return row.until


def resting(session: Session, now: datetime) -> PauseRow | None:
    """The pause in which our relay is, until it has been tried again; None if it takes mail as far as we know."""
    pause = session.get(PauseRow, EVERY_DOMAIN)
    # That a pause is over proves nothing until a letter was tried. But one that has gone proves that all can: without
    # it, doctor spoke of a dead relay for minutes more.
    if pause is None or pause.until <= now - A_MOMENT or _has_gone(session, pause.until):
        return None
    return pause


def down_since(session: Session, now: datetime) -> datetime:
    """The moment since when our relay has taken no mail at all, if it takes none now."""
    last = resting(session, now)
    return now if last is None or last.since is None else last.since


def players_refused(session: Session, player_id: int, now: datetime) -> set[int]:
    """The players whose letters our relay has refused without a reason since it took the last one; notes one more."""
    row = session.get(PauseRow, REFUSED, with_for_update=True)
    # If the relay has taken a letter since, it refuses not all of them: the count begins anew.
    if row is None or row.since is None or _has_gone(session, row.since):
        pause(session, REFUSED, now, str(player_id), now)
        return {player_id}
    players = {*map(int, row.reason.split()), player_id}
    pause(session, REFUSED, now, " ".join(map(str, sorted(players))), row.since)
    return players


def _has_gone(session: Session, since: datetime) -> bool:
    """Whether our relay has taken a letter since then."""
    return session.exec(select(LetterRow.id).where(col(LetterRow.sent_at) >= since).limit(1)).first() is not None


def held_since(session: Session) -> datetime | None:
    """Since when all sending is held; None if it is not."""
    row = session.get(PauseRow, HELD)
    return datetime.fromisoformat(row.reason) if row else None


def nothing_goes(session: Session, now: datetime) -> bool:
    """Whether no letter can go to anybody: an operator holds all, or the relay took none until a moment ago."""
    return resting(session, now) is not None or held_since(session) is not None
