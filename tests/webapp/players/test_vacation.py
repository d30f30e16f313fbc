"""Vacation days taken by a tap: the table waits until the player is back, and days begin anew with a game."""

from datetime import UTC, datetime

from tests.cast import load, play_first, seats, start_game
from tests.mailing import player_id, preferences_url, set_preferences
from tests.playing import due_at, waiting_game
from tests.reminding import reminder_times
from tests.submitting import words
from tests.webapp.vacations import left, play_until, table_url, with_vacation
from webapp import due_games, service
from webapp.games import store
from webapp.models import SeatState
from webapp.outbox.about_tables import OfferOver
from webapp.players.vacation import take_vacation
from webapp.seat_transfer import Occupant, transfer_seat

BO, CY, DI = 1, 2, 3


def test_while_a_player_is_on_vacation_the_table_waits_until_they_are_back(runtime, client):
    game_id = with_vacation(runtime, waiting_game(runtime), days=4)
    table_id, url = load(runtime, game_id).row.table_id, preferences_url(runtime, "Cy")
    set_preferences(runtime, "Cy", days_off=frozenset({3}))  # Thursdays

    def change(**form):
        return client.post(f"{url}/vacation", data={"table": table_id, **form}, follow_redirects=True)

    assert runtime.now().date() == datetime(2026, 3, 2, tzinfo=UTC).date(), "a Monday"
    assert "on vacation until Wed 4 March" in words(change(want="vacation", days="3"))
    assert left(runtime, game_id) == 1
    assert due_at(runtime, game_id) == datetime(2026, 3, 7, 10, tzinfo=UTC), "Friday is a whole day, and then the night"
    assert "Cy is on vacation until Wed 4 March." in words(client.get(table_url(runtime, game_id, BO)))
    assert "on vacation until" not in words(client.get(table_url(runtime, game_id, BO))).replace("Cy is on", "")
    assert "until Fri 6 March" in words(change(want="vacation", days="1")), "Thursday is no vacation day"
    runtime.now.at = datetime(2026, 3, 4, 9, tzinfo=UTC)
    assert due_games.play_for_absent(runtime, game_id) == 0
    assert "Welcome back" in words(change(want="back"))
    assert left(runtime, game_id) == 2, "Monday and Tuesday are gone"
    assert due_at(runtime, game_id) == datetime(2026, 3, 6, 10, tzinfo=UTC), "Wednesday is a whole day, Thursday is off"
    assert reminder_times(runtime, game_id, CY)[-1] < due_at(runtime, game_id)
    play_first(runtime, game_id)
    take_vacation(runtime, player_id(runtime, "Cy"), table_id, 2, runtime.now())
    play_until(runtime, game_id, CY)
    assert due_at(runtime, game_id) > datetime(2026, 3, 7, tzinfo=UTC), "a new question waits, too"


def test_vacation_days_begin_anew_with_a_game_and_with_a_player(runtime):
    game_id = with_vacation(runtime, start_game(runtime))
    table_id = load(runtime, game_id).row.table_id
    take_vacation(runtime, player_id(runtime, "Cy"), table_id, 3, runtime.now())
    assert left(runtime, game_id) == 0
    with runtime.database.writing() as session:
        stored = store.load(session, game_id, lock=True)
        transfer_seat(session, runtime, stored.seats[CY], Occupant(None, "Pip", SeatState.ROBOT), stored, runtime.now())
        assert stored.seats[CY].vacation is None
        stored.seats[DI].vacation = {"dates": [], "automatic": 3, "for": []}
        service.end_game(session, runtime, stored, OfferOver.ENDED, runtime.now())
        service.start_game(session, runtime, stored.table, runtime.now())
    assert [seat.vacation for seat in seats(runtime, table_id)] == [None] * 4
