"""Adds and removes a player's holidays, on which their time stands still at all their tables but live ones.

A change moves the deadlines that the player has, and their reminders. Each is one transaction, and idempotent.
"""

from collections.abc import Callable, Iterable
from datetime import datetime

from sqlmodel import Session

from hearts.seats import Seat
from webapp import service
from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.games import days_off, store
from webapp.games.days_off import FURTHEST, MOST_HOLIDAYS, MOST_LISTED, Holiday, holidays_of, today_of
from webapp.models import GameRow, PlayerRow
from webapp.players.own_seats import locked_games, locked_player, seats_of


def add_holiday(runtime: Runtime, player_id: int, holiday: Holiday, now: datetime) -> None:
    """Adds a holiday. Raises Refused, with a sentence, for days that are over or too many; LinkInvalid."""

    def change(player: PlayerRow) -> None:
        _check(player, holiday, now)
        days_off.add_holiday(player, holiday, now)

    _change(runtime, player_id, change, now)


def remove_holiday(runtime: Runtime, player_id: int, holiday: Holiday, now: datetime) -> None:
    """Removes a holiday from today on, if the player has it. Raises LinkInvalid if there is no such player."""

    def change(player: PlayerRow) -> None:
        days_off.remove_holiday(player, holiday, now)

    _change(runtime, player_id, change, now)


def _check(player: PlayerRow, holiday: Holiday, now: datetime) -> None:
    today = today_of(player, now)
    if holiday.last < holiday.first:
        raise Refused("The last day off comes before the first one.")
    if holiday.first < today:
        raise Refused("The first day off is over already. Choose today or a later day.")
    if holiday.last > today + FURTHEST:
        raise Refused("Choose days off within the next year.")
    if len(holidays_of(player, now)) >= MOST_LISTED:
        raise Refused(f"You can list {MOST_LISTED} holidays at a time. Remove one first.")
    if not days_off.may_add(player, holiday, now):
        raise Refused(f"You can have {MOST_HOLIDAYS} such days off within a year, and these would be more.")


def _change(runtime: Runtime, player_id: int, change: Callable[[PlayerRow], None], now: datetime) -> None:
    with runtime.database.writing() as session:
        games = locked_games(session, player_id, None)
        player = locked_player(session, player_id)
        change(player)
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
        service.days_off_changed(session, runtime, store.load(session, game.id, lock=True), seats[game.table_id], now)
