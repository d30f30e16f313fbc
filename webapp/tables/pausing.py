"""Pauses the clock of a running game, and lets it go on: the host does, or more than half of the players together.

A pause for which players have voted runs out, and anybody at the table can end it: it holds up nobody for good.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.core.tokens import PlayLink
from webapp.games.clock.presence import acting, plays_themselves
from webapp.games.record.stand_in import mark_back
from webapp.models import SeatRow
from webapp.play import course

VOTED_LASTS = timedelta(days=7)


def vote(runtime: Runtime, link: PlayLink, *, wanted: bool, now: datetime) -> None:
    """Notes whether the link's player wants the clock paused or, while it is, to go on. If more than half do, it is.

    One alone ends a pause for which players have voted, or sets a game going that rests.

    Raises Refused if no game is played, SeatLost or LinkExpired.
    """
    with acting(runtime, link, now) as (game, seat):
        table = game.table
        if table.resting_at is not None:
            mark_back(seat)
        seat.wants_pause = wanted
        is_voted = wanted and table.pause_ends_at is not None
        if is_voted or 2 * len(asking(game.seats)) > sum(map(plays_themselves, game.seats)):
            course.set_paused(game, paused=table.paused_at is None, ends_at=now + VOTED_LASTS)


def asking(seats: Iterable[SeatRow]) -> list[Seat]:
    """The seats whose players want the clock paused or, while it is, to go on; away players do not count."""
    return [Seat(seat.seat) for seat in seats if seat.wants_pause and plays_themselves(seat)]
