"""Sets a game going that rests because nobody played it: any player of the table may, for everybody."""

from datetime import datetime

from webapp.core.runtime import Runtime
from webapp.core.tokens import SeatLink
from webapp.games import store
from webapp.games.links import check_seat
from webapp.games.presence import note_seen
from webapp.games.rows import lock_players
from webapp.games.stand_in import mark_back
from webapp.play import advancing, course


def go_on(runtime: Runtime, link: SeatLink, now: datetime) -> None:
    """Sets the table's game going, and sets the link's player as back. Does nothing if none rests.

    Raises SeatLost, SeatLent or LinkExpired.
    """
    with runtime.database.writing() as session:
        stored = store.load_running(session, link.table_id)
        if stored is None or stored.table.resting_at is None:
            return
        seat = check_seat(link, stored.seats[link.seat])
        lock_players(session, stored.seats)
        note_seen(session, link.player_id, now)
        mark_back(seat)
        course.set_going(session, runtime, stored, now)
    advancing.ring(runtime, stored.row, now)
