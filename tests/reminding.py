"""When the players of a game are reminded, and the reminders that are due."""

from datetime import datetime

from hearts.seats import Seat
from tests.cast import load
from webapp.core.runtime import Runtime
from webapp.games.clock.reminding import kept_by
from webapp.models import GameRow
from webapp.play import due_games


def reminder_times(runtime: Runtime, game_id: int, seat: int, hand: int | None = None) -> list[datetime]:
    """When the seat's player is to be reminded, in one of the hands or in all."""
    hands = [one for one in load(runtime, game_id).open_hands() if hand in (None, one.game.hand)]
    kept = [one for hand in hands for one in kept_by(hand.clock) if one.seat == seat]
    return sorted(at for one in kept for at in one.times)


def reminded_seats(runtime: Runtime, game_id: int) -> set[Seat]:
    """The seats whose players are to be reminded."""
    return {one.seat for hand in load(runtime, game_id).open_hands() for one in kept_by(hand.clock)}


def wait_for_reminder(runtime: Runtime, game_id: int, seat: int | None = None) -> None:
    """Lets time pass until the next reminder of the game, or of one of its seats, and queues it as a worker does."""
    row = load(runtime, game_id).row
    runtime.now.at = row.remind_at if seat is None else reminder_times(runtime, game_id, seat)[0]
    assert due_games.play_for_absent(runtime, game_id) == 0


def sleeps(row: GameRow) -> bool:
    """Whether the service has nothing to do in the game before somebody is to be reminded, or late."""
    return row.wake_at == min(at for at in (row.remind_at, row.due_at) if at is not None)
