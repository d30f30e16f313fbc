"""Reminds the players who hold up a table, when one of the others asks for it."""

from datetime import datetime

from hearts.seats import Seat
from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.core.tokens import PlayLink
from webapp.games import store
from webapp.games.links import check_seat
from webapp.games.presence import note_seen
from webapp.games.rows import lock_players
from webapp.outbox import nudges


def nudge(runtime: Runtime, link: PlayLink, now: datetime, hand: int | None = None) -> None:
    """Reminds each player for whom the table waits, unless somebody has had them reminded of this question before.

    `hand` is the one of several at once that the player looks at.

    Raises Refused if there is nobody to remind, SeatLost or LinkExpired.
    """
    with runtime.database.writing() as session:
        stored = store.load_running(session, link.table_id, hand)
        if stored is None:
            raise Refused("This game is over.")
        check_seat(link, stored.seats[link.seat])
        lock_players(session, stored.seats)
        found = nudges.nudge_of(session, stored, Seat(link.seat), now)
        if found == nudges.Nudge():
            raise Refused("Nobody needs a reminder now: look again.")
        nudges.queue_nudges(session, runtime, stored, found.open, now)
        note_seen(session, link.player_id, now)
    runtime.bell.deliver()
