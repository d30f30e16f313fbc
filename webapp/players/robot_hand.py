"""Lets a robot play a hand for a player, as they ask for it, or gives the hand back to them."""

from datetime import datetime

from webapp.core.runtime import Runtime
from webapp.players.own_seats import change_seats


def set_robot_hand(runtime: Runtime, player_id: int, table_id: int, hand: int | None, now: datetime) -> None:
    """Lets a robot play that hand of the table's game for the player, and those beside it; None: it plays no hand for
    them. Raises LinkInvalid if there is no such player.
    """
    with change_seats(runtime, player_id, now, table_id) as (_, own):
        for row in own:
            row.robot_hand = hand
