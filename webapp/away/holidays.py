"""Removes a player's holidays, on which their time stands still at all their tables but live ones; moves the deadlines
that they have, and their reminders, after a change of their days off.
"""

from collections.abc import Iterable
from datetime import datetime

from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.games.clock import days_off
from webapp.games.clock.days_off import Holiday
from webapp.games.record import changing
from webapp.games.record.changing import Transaction
from webapp.models import GameRow
from webapp.play import course
from webapp.players.own_seats import locked_games, locked_player, seats_of


def remove_holiday(runtime: Runtime, player_id: int, holiday: Holiday, now: datetime) -> None:
    """Removes a holiday from today on, if the player has it. Idempotent, one transaction.

    Raises LinkInvalid if there is no such player.
    """
    with changing.games(runtime, now) as transaction:
        games = locked_games(transaction.session, player_id, None)
        player = locked_player(transaction.session, player_id)
        days_off.remove_holiday(player, holiday, now)
        player.seen_at = now
        move_deadlines(transaction, player_id, games)


def move_deadlines(transaction: Transaction, player_id: int, games: Iterable[GameRow]) -> None:
    """Moves the deadlines that the player has in `games`, all their running ones, after a change of their days off."""
    transaction.session.flush()
    seats = {row.table_id: Seat(row.seat) for row in seats_of(transaction.session, player_id, None)}
    for game in games:
        course.days_off_changed(transaction.game(game.id), seats[game.table_id])
