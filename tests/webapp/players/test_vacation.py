"""Vacation: the table waits for a player who is away, as long as their spare days last; each game has its own days."""

from datetime import UTC, datetime

from tests.cast import load, seats, start_game
from tests.mailing import player_id, preferences_url, set_preferences
from tests.playing import due_at, miss_deadline, play_first, waiting_game
from tests.submitting import words
from tests.webapp.vacations import left, let_wait, play_until, table_url, with_vacation
from webapp.games.record import changing
from webapp.models import SeatState, Vacation
from webapp.outbox.about_tables import OfferOver
from webapp.play import advancing, due_games
from webapp.play.seat_transfer import Occupant, transfer_seat
from webapp.players import away

BO, CY, DI = 1, 2, 3


def test_the_table_waits_until_the_player_is_back(runtime, client):
    game_id = with_vacation(runtime, waiting_game(runtime), days=4)
    table_id, url = load(runtime, game_id).row.table_id, f"{preferences_url(runtime, 'Cy')}/away"
    set_preferences(runtime, "Cy", days_off=frozenset({3}))  # Thursdays

    def wait(until):
        form = {"table": table_id, "answer": "wait", "until": until}
        return words(client.post(url, data=form, follow_redirects=True))

    assert runtime.now().date() == datetime(2026, 3, 2, tzinfo=UTC).date(), "a Monday"
    assert "waits for you until the end of Wed 4 March" in wait("2026-03-04")
    assert left(runtime, game_id) == 1
    assert due_at(runtime, game_id) == datetime(2026, 3, 7, 10, tzinfo=UTC), "Friday is a whole day, and then the night"
    others = words(client.get(table_url(runtime, game_id, BO)))
    assert "Cy is away: the table waits until the end of Wed 4 March." in others
    assert "until the end of Fri 6 March" in wait("2026-03-31"), "as long as the days last; Thursday is none"
    wait("2026-03-04")
    runtime.now.at = datetime(2026, 3, 4, 9, tzinfo=UTC)
    assert due_games.play_for_absent(runtime, game_id) == 0
    assert "Welcome back" in words(client.post(f"{url}/back", follow_redirects=True))
    assert left(runtime, game_id) == 2, "Monday and Tuesday are gone"
    assert due_at(runtime, game_id) == datetime(2026, 3, 6, 10, tzinfo=UTC), "Wednesday is a whole day, Thursday is off"
    play_first(runtime, game_id)
    let_wait(runtime, "Cy", table_id, 2)
    play_until(runtime, game_id, CY)
    assert due_at(runtime, game_id) > datetime(2026, 3, 7, tzinfo=UTC), "a new question waits, too"


def test_a_robot_plays_where_a_player_has_no_spare_days(runtime):
    games = [with_vacation(runtime, start_game(runtime), days=days) for days in (2, 0)]
    tables = {load(runtime, game_id).row.table_id for game_id in games}
    away.go_away(runtime, player_id(runtime, "Cy"), tables, None, runtime.now(), waits=True)
    assert [load(runtime, game_id).seats[CY].away for game_id in games] == [False, True]
    assert [left(runtime, game_id) for game_id in games] == [0, 0]


def test_a_player_without_spare_days_is_away_until_the_date(runtime):
    game_id = with_vacation(runtime, waiting_game(runtime), days=1)
    let_wait(runtime, "Cy", load(runtime, game_id).row.table_id, 20)
    for _ in range(2):
        miss_deadline(runtime, game_id)
        play_until(runtime, game_id, CY)
    row = load(runtime, game_id).seats[CY]
    assert row.away
    runtime.now.at = row.away_until
    away.end_due(runtime, runtime.now())
    assert not load(runtime, game_id).seats[CY].away


def test_vacation_days_begin_anew_with_a_game_or_player(runtime):
    game_id = with_vacation(runtime, start_game(runtime))
    table_id = load(runtime, game_id).row.table_id
    let_wait(runtime, "Cy", table_id, 3)
    assert left(runtime, game_id) == 0
    with changing.game(runtime, game_id, runtime.now()) as game:
        transfer_seat(game.transaction, game.seats[CY], Occupant(None, "Pip", SeatState.ROBOT), game)
        assert game.seats[CY].vacation is None
        game.seats[DI].vacation = Vacation(automatic=3)
        advancing.end_game(game, OfferOver.ENDED)
        advancing.start_game(game.transaction, game.table)
    assert [seat.vacation for seat in seats(runtime, table_id)] == [None] * 4
