"""Says who must be there for a slow game to be played live, who wants that, and when it ends.

While all who play themselves have a slow game open, its pages ask whether to play on live. Once all have said so, the
table has a live pace (`card_table.live_seconds`) until one of them has left. `play.course` sets the clocks.

Needed are the players who are neither away nor robots. For the others a robot plays, as at any live table.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from hearts.seats import Seat
from webapp.games.asked.whose_turn import awaited
from webapp.games.clock.presence import plays_themselves, was_present_recently
from webapp.games.record.live import plays_live
from webapp.games.record.store import TableGame
from webapp.models import SeatRow, TableRow, TableState

PACE = timedelta(seconds=60)  # for a card, where players go on live
FEWEST = 2  # players; one alone waits for nobody


def may_go_live(table: TableRow, seats: Sequence[SeatRow], now: datetime) -> bool:
    """Whether the players of a slow game are asked if they go on live: all who are needed have it open."""
    is_slow = table.state is TableState.PLAYING and table.pause is None and not plays_live(table)
    needed = list(filter(plays_themselves, seats))
    return is_slow and len(needed) >= FEWEST and all(was_present_recently(seat, now) for seat in needed)


def waits_for(seats: Iterable[SeatRow]) -> list[Seat]:
    """The needed players who have not said that they go on live."""
    return [Seat(seat.seat) for seat in seats if plays_themselves(seat) and not seat.wants_live]


def is_deserted(stored: TableGame, now: datetime) -> bool:
    """Whether a robot would have to play for somebody who is not there, at this deadline of a game that went live.

    That ends the live pace instead. A player who has let two deadlines pass in a row counts as not there.
    """
    due_at = stored.clock.due_at
    if not stored.table.is_together or due_at is None or due_at > now:
        return False
    # Not who was slow once: a live table forgives a telephone call.
    late = [stored.seats[seat] for seat in awaited(stored)]
    return any(seat.missed or not was_present_recently(seat, now) for seat in late)
