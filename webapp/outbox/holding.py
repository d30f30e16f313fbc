"""Whether mail goes: an operator may hold all sending, a domain may have asked for a pause, the relay may take none.

Each is a row that every sender reads. Deletes pauses that are over.
"""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, or_, select, text, update

from webapp import acts
from webapp.core.log import hidden
from webapp.core.say import say_many
from webapp.models import LetterRow, LetterState, OperatorAct, PauseRow
from webapp.outbox import letters

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


# The outbox as its operator sees it: what is due, what was given up, and how to queue that again.


def down_text(session: Session, now: datetime) -> str | None:
    """Since when our relay has taken no mail, and what it says, without addresses; None if it takes mail."""
    down = resting(session, now)
    if down is None:
        return None
    since = f" since {down.since.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if down.since else ""
    return f"the relay takes no mail of ours{since} ({down.reason}); all letters wait, and it is asked again"


def waiting(session: Session, now: datetime, most: int) -> Sequence[LetterRow]:
    """Up to `most` letters that are due or have failed at least once, oldest first."""
    due = or_(col(LetterRow.next_at) <= now, col(LetterRow.tries) > 0)
    queued = select(LetterRow).where(text("state = 'queued'"), due)  # a literal, as in the index
    return session.exec(queued.order_by(col(LetterRow.created_at)).limit(most)).all()


def tried_text(letter: LetterRow) -> str:
    """How often the letter was tried, and what the relay said last, without addresses; empty if it was not tried."""
    tried = say_many(letter.tries, "tried once", "tried {number} times")
    return f"{tried}: {hidden(letter.problem or '')}" if letter.tries else ""


def failed(session: Session, most: int) -> Sequence[LetterRow]:
    """Up to `most` letters that the relay refused for good, newest first."""
    refused = select(LetterRow).where(LetterRow.state == LetterState.FAILED)
    return session.exec(refused.order_by(col(LetterRow.id).desc()).limit(most)).all()


def retry(session: Session, letter_ids: Collection[int], by: str, now: datetime) -> set[int]:
    """Queues those of the letters again that were given up, and returns their ids. Answered ones are not sent.

    A letter whose recipient is deleted stays given up. Notes that the operator `by` did each.
    """
    named = (col(LetterRow.id).in_(letter_ids), col(LetterRow.address).is_distinct_from(letters.NO_ADDRESS))
    given_up = (*named, col(LetterRow.state) == LetterState.FAILED)
    # Its tries begin anew: else the next refusal has it wait as long as the last one did.
    again = {"state": LetterState.QUEUED, "next_at": now, "tries": 0, "problem": None, "claimed_by": None}
    changed = update(LetterRow).where(*given_up).values(**again)
    queued = set(session.exec(changed.returning(col(LetterRow.id))).scalars())
    for letter_id in sorted(queued):
        acts.note_act(session, OperatorAct.RETRY, by, now, letter_id=letter_id)
    return queued
