"""A player takes vacation days at a table, comes back early, or lets no days be taken for them.

Each change is one transaction. A deadline that they have there moves with it, and so do its reminders.
"""

from collections.abc import Callable
from datetime import datetime

from hearts.seats import Seat
from webapp import service
from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.games import store, vacation
from webapp.games.stand_in import is_lent, owner_name
from webapp.models import PlayerRow, SeatRow, TableRow
from webapp.players.own_seats import locked_games, locked_player, seats_of

Change = Callable[[TableRow, SeatRow, PlayerRow], None]


def take_vacation(runtime: Runtime, player_id: int, table_id: int, days: int, now: datetime) -> None:
    """The player takes so many vacation days at the table, from today on; those of a vacation are added to it.

    Raises Refused if they have fewer left, are away, play for somebody else, or no game is played; LinkInvalid if there
    is no such player.
    """

    def change(table: TableRow, seat: SeatRow, player: PlayerRow) -> None:
        if seat.away:
            raise Refused("You are away, and a robot plays for you. Come back first, then take your vacation.")
        if not 0 < days <= vacation.days_left(table, seat):
            raise Refused("You do not have so many vacation days left in this game.")
        vacation.take_days(seat, player, days, now)

    _change(runtime, player_id, table_id, change, now)


def end_vacation(runtime: Runtime, player_id: int, table_id: int, now: datetime) -> None:
    """The player is back, and keeps the days that are left.

    Raises Refused if they play for somebody else, or no game is played; LinkInvalid.
    """

    def change(_: TableRow, seat: SeatRow, player: PlayerRow) -> None:
        vacation.end_vacation(seat, player, now)

    _change(runtime, player_id, table_id, change, now)


def set_auto_vacation(runtime: Runtime, player_id: int, *, wanted: bool, now: datetime) -> None:
    """Sets whether days are taken for a player who misses a deadline. Raises LinkInvalid if there is no such player."""
    with runtime.database.writing() as session:
        player = locked_player(session, player_id)
        player.auto_vacation, player.seen_at = wanted, now


def _change(runtime: Runtime, player_id: int, table_id: int, change: Change, now: datetime) -> None:
    with runtime.database.writing() as session:
        games = locked_games(session, player_id, table_id)
        if not games:
            raise Refused("No game is played at this table just now.")
        (seat,), (game,) = seats_of(session, player_id, table_id), games
        if is_lent(seat):
            raise Refused(f"You play for {owner_name(seat)} here, and the vacation days are theirs.")
        player = locked_player(session, player_id)
        change(session.get_one(TableRow, table_id), seat, player)
        player.seen_at = now
        session.flush()
        service.days_off_changed(session, runtime, store.load(session, game.id, lock=True), Seat(seat.seat), now)
    runtime.bell.deliver()
