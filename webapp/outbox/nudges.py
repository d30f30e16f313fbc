"""Nudges: the reminder for which somebody at the table asks while they wait; once for each question.

It names nobody: whose turn it is learns that the table waits, and not who asked.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.games.clock import may_nudge
from webapp.games.pace import pace_of
from webapp.games.planning import asked_of, awaited
from webapp.games.presence import may_disturb_at
from webapp.games.store import Stored
from webapp.models import LetterKind, PlayerRow
from webapp.outbox import letters, timing

NUDGE = "nudge"  # the reason of such a reminder


@dataclass(frozen=True, slots=True)
class Nudge:
    """Whom the table waits for, by seat: those who may be reminded now, and those who have been."""

    open: tuple[Seat, ...] = ()
    done: tuple[Seat, ...] = ()


def nudge_of(session: Session, stored: Stored, by: Seat, now: datetime) -> Nudge:
    """Whom the player of the seat `by` may have reminded."""
    others = [seat for seat in awaited(stored) if seat != by and _has_waited_long(stored, now)]
    done = tuple(seat for seat in others if _was_nudged(session, stored, seat))
    waiting = [seat for seat in others if seat not in done]
    return Nudge(tuple(seat for seat in waiting if _may_be_reminded(session, stored, seat, now)), done)


def queue_nudges(session: Session, runtime: Runtime, stored: Stored, seats: tuple[Seat, ...], now: datetime) -> None:
    """Queues a reminder to the players of `seats`, who may be reminded now."""
    for seat in seats:
        due = asked_of(stored, seat)
        assert due is not None
        row = stored.seats[seat]
        letter = letters.queue_in_game(session, runtime, LetterKind.REMINDER, stored, row, due, now, again=f" {NUDGE}")
        letter.reason = NUDGE


def _has_waited_long(stored: Stored, now: datetime) -> bool:
    return _may_nudge(stored, now, now)


def _may_nudge(stored: Stored, now: datetime, at: datetime) -> bool:
    row = stored.row
    if row.asked_at is None or row.due_at is None:
        return False
    return may_nudge(row.asked_at, row.due_at, pace_of(stored), now, at)


def _was_nudged(session: Session, stored: Stored, seat: Seat) -> bool:
    due = asked_of(stored, seat)
    assert due is not None
    sent = letters.letters_asking(session, stored.id, stored.seats[seat], due)
    return any(letter.reason == NUDGE for letter in sent)


def _may_be_reminded(session: Session, stored: Stored, seat: Seat, now: datetime) -> bool:
    """Whether a reminder reaches the player in time, and they want it at once."""
    row = stored.seats[seat]
    player = session.get_one(PlayerRow, row.player_id)
    wants = row.mails and player.reminders and timing.wants_each_turn(player) and player.unreachable_at is None
    return wants and _may_nudge(stored, now, may_disturb_at(player, now))
