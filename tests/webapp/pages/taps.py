"""Whether one tap plays a card for a player."""

from tests.cast import seats
from webapp.models import PlayerRow

ANN = 0


def tap_of_ann(table):
    player = seats(table.runtime, table.table_id)[ANN].player_id
    with table.runtime.database.reading() as session:
        return session.get_one(PlayerRow, player).tap_plays
