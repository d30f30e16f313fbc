"""Keeps whether one tap plays a card on a player's pages, instead of a tap and the button."""

from datetime import datetime

from sqlmodel import Session

from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.core.say import say
from webapp.games.clock.presence import note_act
from webapp.games.record.rows import locked_player
from webapp.models import PlayerRow


def tap_plays(session: Session, player_id: int | None, *, is_live: bool) -> bool:
    """Whether one tap plays a card for the player; where they have not chosen, it does so at a live table."""
    player = session.get(PlayerRow, player_id) if player_id is not None else None
    return is_live if player is None or player.tap_plays is None else player.tap_plays


def read_tap(text: str) -> bool:
    """Reads whether the button asks for on or off. Raises Refused."""
    if text not in ("on", "off"):
        raise Refused(say("Please use the button on the page of the game."))
    return text == "on"


def change_tap(runtime: Runtime, player_id: int, *, plays: bool, now: datetime) -> None:
    """Sets it, at all tables. Raises LinkInvalid if there is no such player."""
    with runtime.database.writing() as session:
        player = locked_player(session, player_id)
        player.tap_plays = plays
        note_act(player, now)
