"""When each player was first asked a hand's question: a deadline counts from there, whatever is changed later.

Going away and coming back, another wait, another pace or a lent seat restart no deadline. A pause and an evening
together stop the time; the first of them leaves a fair time to answer, so that nobody comes back to minutes. If a seat
changes hands, its next player has the time of one who is asked for the first time, and all after them share that.

The hand's clock keeps it as `first_asked`. It is None before anybody is asked, and from the next question on.
"""

from dataclasses import replace
from datetime import datetime

from hearts.seats import Seat
from webapp.games.record.store import TableGame
from webapp.models import ClockRow, FirstAsked, GameRow

Clock = GameRow | ClockRow
MOST_STARTS = 2  # of one decision: for the first player of its seat, and for all who have the seat later


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


def stop(clock: Clock, now: datetime) -> None:
    """The time of the hand stands still from `now` on, if it does not yet."""
    if clock.first_asked and not clock.first_asked.stopped:
        clock.first_asked = replace(clock.first_asked, stopped=now)


def resume(clock: Clock, now: datetime) -> bool:
    """The time goes on, if it stood still. Returns whether that was the first time for this question."""
    kept = clock.first_asked
    if kept is None or kept.stopped is None:
        return False
    stood = now - kept.stopped
    seats = {seat: tuple((one, at + stood) for one, at in starts) for seat, starts in kept.seats.items()}
    clock.first_asked = FirstAsked(seats, resumed=True)
    return not kept.resumed


def forget(stored: TableGame) -> None:
    """Gives all players who are asked now a full time to answer: nobody could while the service was down."""
    stored.row.first_asked = None
    for clock in stored.clocks.values():
        clock.first_asked = None
