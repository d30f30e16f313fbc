"""Removes a player's holidays, on which their time stands still at all their tables but live ones; moves the deadlines
that they have, and their reminders, after a change of their days off.
"""

from collections.abc import Iterable

from hearts.seats import Seat
from webapp.games.record.changing import Transaction
from webapp.models import GameRow
from webapp.play import course
from webapp.players.own_seats import seats_of


def move_deadlines(transaction: Transaction, player_id: int, games: Iterable[GameRow]) -> None:
    """Moves the deadlines that the player has in `games`, all their running ones, after a change of their days off."""
    transaction.session.flush()
    seats = {row.table_id: Seat(row.seat) for row in seats_of(transaction.session, player_id, None)}
    for game in games:
        course.days_off_changed(transaction.game(game.id), seats[game.table_id])
