"""Removes a player's holidays, on which their time stands still at all their tables but live ones; moves the deadlines
that they have, and their reminders, after a change of their days off.
"""

from collections.abc import Iterable
from datetime import datetime

from sqlmodel import Session

from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.games import days_off, store
from webapp.games.days_off import Holiday
from webapp.models import GameRow
from webapp.play import course
from webapp.players.own_seats import locked_games, locked_player, seats_of


def remove_holiday(runtime: Runtime, player_id: int, holiday: Holiday, now: datetime) -> None:
    """Removes a holiday from today on, if the player has it. Idempotent, one transaction.

    Raises LinkInvalid if there is no such player.
    """
    with runtime.database.writing() as session:
        games = locked_games(session, player_id, None)
        player = locked_player(session, player_id)
        days_off.remove_holiday(player, holiday, now)
        player.seen_at = now
        move_deadlines(session, runtime, player_id, games, now)
    runtime.bell.deliver()


def move_deadlines(session: Session, runtime: Runtime, player_id: int, games: Iterable[GameRow], now: datetime) -> None:
    """Moves the deadlines that the player has in `games`, all their running ones, after a change of their days off.

    The caller has locked the games and the player by `locked_games`.
    """
    session.flush()
    seats = {row.table_id: Seat(row.seat) for row in seats_of(session, player_id, None)}
    for game in games:
        course.days_off_changed(session, runtime, store.load(session, game.id, lock=True), seats[game.table_id], now)
