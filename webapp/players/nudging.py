"""Reminds the players who hold up a table, when one of the others asks for it."""

from datetime import datetime

from hearts.seats import Seat
from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.core.tokens import PlayLink
from webapp.games.clock.presence import acting
from webapp.outbox import nudges


def nudge(runtime: Runtime, link: PlayLink, now: datetime, hand: int | None = None) -> None:
    """Reminds each player for whom the table waits, unless somebody has had them reminded of this question before.

    `hand` is the one of several at once that the player looks at.

    Raises Refused if there is nobody to remind, SeatLost or LinkExpired.
    """
    with acting(runtime, link, now, hand) as (game, _):
        found = nudges.nudge_of(game.session, game.stored, Seat(link.seat), now)
        if found == nudges.Nudge():
            raise Refused("Nobody needs a reminder now: look again.")
        nudges.queue_nudges(game.session, runtime, game.stored, found.open, now)
