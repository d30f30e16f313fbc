"""Changes how long we wait for a player where it hardly matters: at one table, or at all of theirs and in new games.

Each change is one transaction, and is idempotent. `play.course` plays at once what then needs no answer.
"""

from datetime import datetime

from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.games.clock.presence import note_seen
from webapp.games.record import changing
from webapp.games.record.rows import locked_player
from webapp.models import Wait
from webapp.play import course
from webapp.players.own_seats import locked_games, seats_of


def change_wait(runtime: Runtime, player_id: int, wait: Wait, now: datetime, table_id: int | None = None) -> None:
    """Sets the player's wait at a table, or (None) at all their tables and in every new game.

    A robot that plays the present hand for them stops. Raises LinkInvalid if there is no such player.
    """
    with changing.games(runtime, now) as transaction:
        session = transaction.session
        games = {game.table_id: game.id for game in locked_games(session, player_id, table_id)}
        if table_id is None:
            locked_player(session, player_id).wait = wait
        note_seen(session, player_id, now)
        for row in seats_of(session, player_id, table_id):
            robot_hand, row.wait, row.robot_hand = row.robot_hand, wait, None
            if row.table_id in games:
                course.wait_changed(transaction.game(games[row.table_id]), Seat(row.seat), robot_hand=robot_hand)


def hand_over_hand(runtime: Runtime, player_id: int, table_id: int, hand: int, now: datetime) -> None:
    """Lets a robot play that hand of the table's game for the player. Raises LinkInvalid if there is no such player."""
    with changing.games(runtime, now) as transaction:
        games = locked_games(transaction.session, player_id, table_id)
        note_seen(transaction.session, player_id, now)
        for row in seats_of(transaction.session, player_id, table_id) if games else ():
            robot_hand, row.robot_hand = row.robot_hand, hand
            course.wait_changed(transaction.game(games[0].id), Seat(row.seat), robot_hand=robot_hand)
