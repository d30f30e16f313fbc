"""Changes how long we wait for a player where it hardly matters: at one table, or at all of theirs and in new games.

Each change is one transaction, and is idempotent. `play.course` plays at once what then needs no answer.
"""

from collections.abc import Callable
from datetime import datetime

from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.games.clock.presence import note_seen
from webapp.games.record import changing
from webapp.models import GameRow, SeatRow, Wait
from webapp.play import course
from webapp.players.own_seats import locked_games, locked_player, seats_of


def change_wait(runtime: Runtime, player_id: int, wait: Wait, now: datetime, table_id: int | None = None) -> None:
    """Sets the player's wait at a table, or (None) at all their tables and in every new game.

    A robot that plays the present hand for them stops. Raises LinkInvalid if there is no such player.
    """

    def change(row: SeatRow, _: GameRow | None) -> None:
        row.wait, row.robot_hand = wait, None

    _change_seats(runtime, player_id, change, now, table_id, default=wait if table_id is None else None)


def hand_over_hand(runtime: Runtime, player_id: int, table_id: int, hand: int, now: datetime) -> None:
    """Lets a robot play that hand of the table's game for the player. Raises LinkInvalid if there is no such player."""

    def change(row: SeatRow, game: GameRow | None) -> None:
        if game is not None:
            row.robot_hand = hand

    _change_seats(runtime, player_id, change, now, table_id)


def _change_seats(
    runtime: Runtime,
    player_id: int,
    change: Callable[[SeatRow, GameRow | None], None],
    now: datetime,
    table_id: int | None,
    default: Wait | None = None,
) -> None:
    """Applies `change` to the player's seat at a table, or to all their seats (None), and to the running games."""
    with changing.games(runtime, now) as transaction:
        session = transaction.session
        by_table = {game.table_id: game for game in locked_games(session, player_id, table_id)}
        if default is not None:
            locked_player(session, player_id).wait = default
        note_seen(session, player_id, now)
        for row in seats_of(session, player_id, table_id):
            game, robot_hand = by_table.get(row.table_id), row.robot_hand
            change(row, game)
            if game is not None:
                course.wait_changed(transaction.game(game.id), Seat(row.seat), robot_hand=robot_hand)
