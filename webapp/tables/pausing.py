"""Pauses the clock of a running game, and lets it go on: the host does, or more than half of the players together.

A pause for which players have voted runs out, and anybody at the table can end it: it holds up nobody for good. So it
is with a game that rests because nobody played it: any player of the table may set it going, for everybody.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.core.tokens import PlayLink, SeatLink
from webapp.games.clock.presence import acting, note_seen, plays_themselves
from webapp.games.record import changing
from webapp.games.record.links import check_seat
from webapp.games.record.stand_in import mark_back
from webapp.models import SeatRow, Stands
from webapp.play import course

VOTED_LASTS = timedelta(days=7)


def vote(runtime: Runtime, link: PlayLink, *, wanted: bool, now: datetime) -> None:
    """Notes whether the link's player wants the clock paused or, while it is, to go on. If more than half do, it is.

    One alone ends a pause for which players have voted, or sets a game going that rests.

    Raises Refused if no game is played, SeatLost or LinkExpired.
    """
    with acting(runtime, link, now) as (game, seat):
        pause = game.table.pause
        if game.table.rests:
            mark_back(seat)
        seat.wants_pause = wanted
        are_enough = 2 * len(asking(game.seats)) > sum(map(plays_themselves, game.seats))
        if pause is None and are_enough:
            course.stop_clock(game, Stands.PLAYERS, VOTED_LASTS)
        elif pause is not None and (are_enough or (wanted and pause.is_anybodys)):
            course.start_clock(game)


def go_on(runtime: Runtime, link: SeatLink, now: datetime) -> None:
    """Ends a pause that anybody at the table may end, or does nothing. At rest, the link's player is back.

    Raises SeatLost, SeatLent or LinkExpired.
    """
    with changing.games(runtime, now) as transaction:
        game = transaction.running(link.table_id)
        if game is None or game.table.pause is None or not game.table.pause.is_anybodys:
            return
        seat = check_seat(link, game.seats[link.seat])
        note_seen(game.session, link.player_id, now)
        if game.table.rests:
            mark_back(seat)
        course.start_clock(game)


def asking(seats: Iterable[SeatRow]) -> list[Seat]:
    """The seats whose players want the clock paused or, while it is, to go on; away players do not count."""
    return [Seat(seat.seat) for seat in seats if seat.wants_pause and plays_themselves(seat)]
