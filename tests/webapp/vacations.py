"""Tables whose players have vacation days."""

from datetime import timedelta

from hearts.seats import Seat
from tests.cast import load, seat_link
from tests.playing import play_first
from webapp.core.runtime import Runtime
from webapp.games.clock.vacation import days_left
from webapp.games.record import changing, store
from webapp.models import Vacation
from webapp.play import course

CY = 2


def with_vacation(runtime: Runtime, game_id: int, days: int = 3) -> int:
    """Gives the players of the game's table that many vacation days. Returns the game's id."""
    with runtime.database.writing() as session:
        store.load(session, game_id).table.vacation_days = days
    return game_id


def left(runtime: Runtime, game_id: int, seat: int = CY) -> int:
    """How many days the player of the seat has left."""
    stored = load(runtime, game_id)
    return days_left(stored.table, stored.seats[seat])


def take_by_hand(runtime: Runtime, game_id: int, seat: int, days: int) -> None:
    """Lets the table wait for the player of the seat on that many dates, today the first, as an earlier version did."""
    dates = frozenset(runtime.now().date() + timedelta(days=ahead) for ahead in range(days))
    with changing.game(runtime, game_id, runtime.now()) as game:
        game.seats[seat].vacation = Vacation(dates)
        course.hours_changed(game, Seat(seat))


def play_until(runtime: Runtime, game_id: int, seat: int) -> None:
    """The others play until it is the turn of `seat`."""
    while load(runtime, game_id).game.to_act[0] != seat:
        play_first(runtime, game_id)


def table_url(runtime: Runtime, game_id: int, seat: int) -> str:
    """The page of the table, for the player of the seat."""
    return runtime.signer.local_url(seat_link(runtime, load(runtime, game_id).row.table_id, seat))
