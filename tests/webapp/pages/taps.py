"""Whether one tap plays a card for a player."""

from tests.cast import load, seats
from webapp.models import PlayerRow

ANN = 0


def tap_of_ann(runtime, game_id):
    player = seats(runtime, load(runtime, game_id).row.table_id)[ANN].player_id
    with runtime.database.reading() as session:
        return session.get_one(PlayerRow, player).tap_plays
