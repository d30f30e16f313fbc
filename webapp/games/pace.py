"""The pace of a running game: how much time it gives for what it asks now, and when it next needs the service."""

from datetime import datetime, timedelta

from hearts.seats import Seat
from hearts.turns import Deal
from webapp.games.clock import is_live
from webapp.games.store import Stored
from webapp.models import GameRow, TableRow, TurnSource

UNASKED = (TurnSource.FORCED, TurnSource.CLAIM)


def pace_for(table: TableRow, what: str) -> timedelta:
    """The table's time for `what`, which is "pass", or anything else that is asked while a hand is played."""
    return table.pass_time if what == "pass" else table.play_time


def pace_of(stored: Stored) -> timedelta:
    """The table's time for what the game asks now."""
    return pace_for(stored.table, stored.game.stage)


def is_asked_live(stored: Stored) -> bool:
    """Whether what the game asks now is asked of people who are expected to be there."""
    return is_live(pace_of(stored))


def is_first_question(stored: Stored, seat: Seat) -> bool:
    """Whether its player has been asked nothing else in this game, or nothing since they were away and are back."""
    asked = (
        record
        for record in reversed(stored.records[stored.turns_before(seat) :])
        if not isinstance(record.turn, Deal) and record.turn.seat == seat and record.way not in UNASKED
    )
    last = next(asked, None)
    return last is None or last.way is TurnSource.ORDER


def set_deadline(row: GameRow, at: datetime | None, now: datetime) -> None:
    """A deadline that runs from `now`; None where there is none. By how much an earlier one was moved is forgotten."""
    row.due_at, row.asked_at, row.moved_by = at, now, 0


def give_until(row: GameRow, at: datetime, now: datetime) -> None:
    """Whoever is asked has time until `at` at least."""
    if row.due_at is None or row.due_at < at:
        set_deadline(row, at, now)


def set_wake(stored: Stored, now: datetime) -> None:
    """A game that waits for nobody who is there needs the service now, any other at the deadline."""
    row = stored.row
    row.rings = 0
    row.wake_at = now if stored.not_waited_for.intersection(stored.game.to_act) else row.due_at
