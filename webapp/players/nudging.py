"""Has a player reminded for whom the others wait, because one of them asks for it."""

from datetime import datetime

from hearts.seats import Seat
from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.core.tokens import PlayLink
from webapp.games import store
from webapp.games.links import check_seat
from webapp.games.presence import lock_players, note_seen
from webapp.models import GameState
from webapp.outbox import nudges
from webapp.tables.seating import current_game


def nudge(runtime: Runtime, link: PlayLink, now: datetime) -> None:
    """Reminds everybody for whom the table waits, each once; whom somebody has had reminded already, not again.

    Raises Refused if there is nobody to remind, SeatLost or LinkExpired.
    """
    with runtime.database.writing() as session:
        row = current_game(session, link.table_id)
        stored = store.load(session, row.id, lock=True) if row and row.state is GameState.PLAYING else None
        if stored is None:
            raise Refused("This game is over.")
        check_seat(link, stored.seats[link.seat])
        lock_players(session, stored.seats)
        found = nudges.nudge_of(session, stored, Seat(link.seat), now)
        if not found.open and not found.done:
            raise Refused("Nobody needs a reminder now: look again.")
        nudges.queue_nudges(session, runtime, stored, found.open, now)
        note_seen(session, link.player_id, now)
    runtime.bell.deliver()
