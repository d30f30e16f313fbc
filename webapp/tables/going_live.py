"""Lets the players of a slow game go on live, once all are there and want it, and end that again."""

from datetime import datetime

from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.core.say import later, say
from webapp.core.tokens import PlayLink
from webapp.games.clock import together
from webapp.games.clock.presence import acting
from webapp.play import course

SOMEBODY_LEFT = later("Somebody has left, so the game goes on at its usual pace.")


def vote(runtime: Runtime, link: PlayLink, *, wanted: bool, now: datetime) -> None:
    """Notes whether the link's player wants to go on live. Once all want it, the game is live.

    Raises Refused if not all are there, or the game cannot go live, SeatLost or LinkExpired.
    """
    with acting(runtime, link, now) as (game, seat):
        if game.table.is_together:
            return
        if not together.may_go_live(game.table, game.seats, now):
            raise Refused(say(SOMEBODY_LEFT))
        seat.wants_live = wanted
        if not together.waits_for(game.seats):
            course.come_together(game)


def end(runtime: Runtime, link: PlayLink, now: datetime) -> None:
    """Ends the live pace of a slow game, by a tap of one of its players. Does nothing if it has none.

    Raises Refused if no game is played, SeatLost or LinkExpired.
    """
    with acting(runtime, link, now) as (game, _):
        course.part(game)
