"""The live paces, at which all players are expected to be present together."""

from datetime import timedelta

from webapp.models import TableRow

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
