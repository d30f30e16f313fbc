"""Sets a game going that rests because nobody played it: any player of the table may, for everybody."""

from datetime import datetime

from webapp.core.runtime import Runtime
from webapp.core.tokens import SeatLink
from webapp.games.clock.presence import note_seen
from webapp.games.record import changing
from webapp.games.record.links import check_seat
from webapp.games.record.stand_in import mark_back
from webapp.play import course


def go_on(runtime: Runtime, link: SeatLink, now: datetime) -> None:
    """Sets the table's game going, and sets the link's player as back. Does nothing if none rests.

    Raises SeatLost, SeatLent or LinkExpired.
    """
    with changing.games(runtime, now) as transaction:
        game = transaction.running(link.table_id)
        if game is None or game.table.resting_at is None:
            return
        seat = check_seat(link, game.seats[link.seat])
        note_seen(game.session, link.player_id, now)
        mark_back(seat)
        course.set_going(game)
