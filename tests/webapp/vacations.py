"""Tables whose players have vacation days."""

from datetime import timedelta

from hearts.seats import Seat
from tests.cast import seat_link
from tests.table import Table
from webapp.games.clock.vacation import days_left
from webapp.games.record import store
from webapp.models import Vacation
from webapp.play import course

CY = 2


def with_vacation(table: Table, days: int = 3) -> Table:
    """Gives the players of the game's table that many vacation days."""
    with table.runtime.database.writing() as session:
        store.load(session, table.game_id).table.vacation_days = days
    return table


def left(table: Table, seat: int = CY) -> int:
    """How many days the player of the seat has left."""
    stored = table.stored
    return days_left(stored.table, stored.seats[seat])


def take_by_hand(table: Table, seat: int, days: int) -> None:
    """Lets the table wait for the player of the seat on that many dates, today the first, as an earlier version did."""
    dates = frozenset(table.runtime.now().date() + timedelta(days=ahead) for ahead in range(days))
    with table.changing() as game:
        game.seats[seat].vacation = Vacation(dates)
        course.hours_changed(game, Seat(seat))


def play_until(table: Table, seat: int) -> None:
    """The others play until it is the turn of `seat`."""
    while table.game.to_act[0] != seat:
        table.play_first()


def table_url(table: Table, seat: int) -> str:
    """The page of the table, for the player of the seat."""
    return table.runtime.signer.local_url(seat_link(table.runtime, table.table_id, seat))
