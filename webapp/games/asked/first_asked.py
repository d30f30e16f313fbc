"""When each player was first asked a hand's question: a deadline counts from there, whatever is changed later.

Going away and coming back, another pace or a lent seat restart no deadline. A pause and playing on
live stop the time and leave what was left of it; the first of them leaves a fair time to answer, too, so that
nobody comes back to minutes. If a seat changes hands, its next player has the time of one who is asked for the first
time, and all after them share that.

The hand's clock keeps it as `first_asked`. It is None before anybody is asked, and from the next question on.
"""

from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from hearts.seats import Seat
from webapp.games.record.store import TableGame
from webapp.models import ClockRow, FirstAsked, GameRow

Clock = GameRow | ClockRow
MOST_STARTS = 2  # of one decision: for the first player of its seat, and for all who have the seat later


class Stop(NamedTuple):
    """Since when the time of a hand stood still, and the deadline that it had then, postponed by `moved_by` seconds."""

    since: datetime
    due_at: datetime | None
    moved_by: int


def since(stored: TableGame, seat: Seat, now: datetime) -> datetime:
    """Since when the seat's present player has been asked; `now`, which the clock keeps, if they were not before."""
    kept, player = stored.clock.first_asked or FirstAsked({}), stored.seats[seat].player_id
    starts = kept.seats.get(seat, ())
    theirs = next((at for one, at in starts if one == player), None)
    if theirs is not None:
        return theirs
    if len(starts) >= MOST_STARTS:
        return starts[-1][1]
    stored.clock.first_asked = replace(kept, seats={**kept.seats, int(seat): (*starts, (player, now))})
    return now


def asked_at(stored: TableGame, seat: Seat) -> datetime | None:
    """Since when the seat's present player has been asked; None if nobody is."""
    starts = stored.clock.first_asked.seats.get(seat, ()) if stored.clock.first_asked else ()
    player = stored.seats[seat].player_id
    return next((at for one, at in starts if one == player), stored.clock.asked_at)


def stop(clock: Clock, now: datetime) -> None:
    """The time of the hand stands still from `now` on, if it does not yet; its present deadline is kept."""
    if clock.first_asked and not clock.first_asked.stopped:
        clock.first_asked = replace(clock.first_asked, stopped=now, due_at=clock.due_at, moved_by=clock.moved_by)


def resume(clock: Clock, now: datetime) -> Stop | None:
    """The time goes on, if it stood still. Returns how it stood; None if it did not."""
    kept = clock.first_asked
    if kept is None or kept.stopped is None:
        return None
    stood = now - kept.stopped
    seats = {seat: tuple((one, at + stood) for one, at in starts) for seat, starts in kept.seats.items()}
    clock.first_asked = FirstAsked(seats, resumed_at=kept.resumed_at + stood if kept.resumed_at else now)
    return Stop(kept.stopped, kept.due_at, kept.moved_by)


def resumed_at(stored: TableGame) -> datetime | None:
    """Since when all who are asked have a fair time, since the time stood still; None if it never did."""
    kept = stored.clock.first_asked
    return kept.resumed_at if kept else None


def forget(stored: TableGame) -> None:
    """Gives all players who are asked now a full time to answer: nobody could while the service was down."""
    stored.row.first_asked = None
    for clock in stored.clocks.values():
        clock.first_asked = None
