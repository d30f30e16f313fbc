"""The outbox as its operator sees it: what is due, what was given up, and how to queue that again."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime

from sqlmodel import Session, col, or_, select, text, update

from webapp import acts
from webapp.core.log import hidden
from webapp.models import LetterRow, LetterState, OperatorAct
from webapp.outbox import holding, letters
from webapp.presentation.phrasing import counted


def down_text(session: Session, now: datetime) -> str | None:
    """Since when our relay has taken no mail, and what it says, without addresses; None if it takes mail."""
    down = holding.resting(session, now)
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
    return f"tried {counted(letter.tries, 'time')}: {hidden(letter.problem or '')}" if letter.tries else ""


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
