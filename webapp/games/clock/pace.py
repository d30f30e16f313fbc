"""The pace of a table: how long a player has to answer, and whether all are expected to be present together."""

from datetime import timedelta

from hearts.seats import Seat
from webapp.games.record.store import TableGame
from webapp.models import TableRow, TurnSource

# SHORTEST_PACE_SECONDS, which an operator may offer for trials, is not among them: it is played by mail, however short.
LIVE_PACES = tuple(timedelta(seconds=seconds) for seconds in (7, 15, 30, 60, 300))


def is_live(pace: timedelta) -> bool:
    """Whether all players are expected to be present at this pace.

    >>> is_live(timedelta(seconds=15)), is_live(timedelta(hours=1))
    (True, False)
    """
    return pace in LIVE_PACES


def plays_live(table: TableRow) -> bool:
    """Whether the table has a live pace, for the pass or for play."""
    return is_live(table.pass_time) or is_live(table.play_time)


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
