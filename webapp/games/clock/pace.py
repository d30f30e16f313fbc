"""The pace of a running game: how long a player has to answer, and when the game next needs the service."""

from datetime import datetime, timedelta

from hearts.seats import Seat
from webapp.games.asked.whose_turn import awaited
from webapp.games.record.live import is_live
from webapp.games.record.store import TableGame
from webapp.models import GameRow, GameState, TableRow, TurnSource


def pace_for(table: TableRow, what: str) -> timedelta:
    """The table's pace for `what`: "pass", or anything else for the questions during play."""
    return table.pass_time if what == "pass" else table.play_time


def pace_of(stored: TableGame) -> timedelta:
    """The table's pace for what the game asks now."""
    return pace_for(stored.table, stored.game.stage)


def is_asked_live(stored: TableGame) -> bool:
    """Whether the game asks its present question at a live pace."""
    return is_live(pace_of(stored))


def is_first_question(stored: TableGame, seat: Seat) -> bool:
    """Whether the seat's player has been asked nothing else in this game, or nothing since they came back from away."""
    last = stored.last_asked(seat)
    return last is None or last.number <= stored.turns_before(seat) or last.source is TurnSource.AWAY


def set_wake(stored: TableGame, now: datetime) -> None:
    """Wakes the service at once if a robot has to play now, and else at the first deadline; once it is over, never."""
    # Who claimed the game has done its part; the next worker may have it.
    row, hands = stored.row, list(stored.open_hands()) if stored.row.state is GameState.PLAYING else []
    row.claims = 0
    row.due_at = min((one.clock.due_at for one in hands if one.clock.due_at is not None), default=None)
    times = [] if stored.table.rests else [at for one in hands if (at := _wake_of(one, now)) is not None]
    # A pause ends by itself, and somebody must be awake to see that.
    if stored.table.pause and stored.table.pause.until:
        times.append(stored.table.pause.until)
    times += [one.ends_at for one in stored.table.proposals or () if one.ends_at is not None]
    row.wake_at = min(times, default=None)


def extend_lease(row: GameRow, lease: timedelta, now: datetime) -> None:
    """Leases a game that is due to the worker that plays in it: no other worker claims it before the lease is over."""
    # A worker that dies loses the lease, and the game is due again.
    if row.wake_at is not None and row.wake_at <= now:
        row.wake_at, row.claims = now + lease, 1


def _wake_of(stored: TableGame, now: datetime) -> datetime | None:
    """When the hand next needs the service; None if it waits for players without a deadline."""
    # Somebody whom nobody waits for is to act: a robot, or the player of a forced card.
    if awaited(stored) != stored.game.to_act:
        return now
    return stored.clock.due_at
