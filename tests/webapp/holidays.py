"""Holidays, as players of version 1.0 have added them."""

from datetime import date, datetime

from webapp.core.runtime import Runtime
from webapp.games.record import changing
from webapp.games.record.rows import locked_player
from webapp.players.away import move_deadlines
from webapp.players.own_seats import locked_games


def add_holiday(runtime: Runtime, player_id: int, first: date, last: date, now: datetime) -> None:
    """The player has these days off, and their deadlines have moved."""
    kept = [first.isoformat(), last.isoformat()]
    with changing.games(runtime, now) as transaction:
        session = transaction.session
        games = locked_games(session, player_id, None)
        player = locked_player(session, player_id)
        player.holidays = sorted([*(one for one in player.holidays or [] if one != kept), kept])
        move_deadlines(transaction, player_id, games)
