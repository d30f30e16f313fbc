"""Vacation days taken at a missed deadline: one for each decision, and what the players are told of it."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta

import pytest

from tests.cast import load, start_game
from tests.mailing import letters_to, player_id, set_preferences
from tests.playing import due_at, miss_deadline, pass_lowest, play_first, records, waiting_game
from tests.submitting import words
from tests.webapp.going_away import set_away
from tests.webapp.holidays import add_holiday
from tests.webapp.vacations import left, play_until, table_url, with_vacation
from webapp.games.clock.vacation import vacation_of
from webapp.models import LetterKind, TurnSource
from webapp.outbox.turn_mail_times import Cause
from webapp.play import due_games
from worker import postman

ANN, BO, CY, DI = range(4)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def test_a_missed_deadline_takes_a_vacation_day_before_a_robot(runtime, client):
    game_id = with_vacation(runtime, waiting_game(runtime))
    runtime.now.at = due_at(runtime, game_id) - HOUR
    postman.deliver(runtime)
    asked = due_at(runtime, game_id)
    assert miss_deadline(runtime, game_id) == 0
    assert (due_at(runtime, game_id), left(runtime, game_id)) == (asked + DAY, 2)
    assert load(runtime, game_id).seats[CY].missed == 0
    runtime.now.pass_by(DAY / 4)
    assert letters_to(runtime, "Cy", LetterKind.TURNS)[-1].reason == Cause.MISSED
    runtime.now.at = asked
    shown = words(client.get(table_url(runtime, game_id, BO)))
    assert "Cy missed a deadline: one of their spare days is used." in shown
    assert "plays, two spare days left" in shown
    add_holiday(runtime, player_id(runtime, "Cy"), date(2026, 6, 1), date(2026, 6, 1), runtime.now())
    assert due_at(runtime, game_id) == asked + DAY, "the day stays, whatever else changes"
    assert miss_deadline(runtime, game_id) == 1, "a day for each decision at most"
    assert records(runtime, game_id)[-1].source is TurnSource.TIMEOUT
    play_until(runtime, game_id, CY)
    assert miss_deadline(runtime, game_id) == 1, "none for a player who has vanished"
    assert (load(runtime, game_id).seats[CY].away, left(runtime, game_id)) == (True, 2)
    set_away(runtime, load(runtime, game_id).row.table_id, CY, away=False)
    play_first(runtime, game_id)
    play_until(runtime, game_id, CY)
    assert miss_deadline(runtime, game_id) == 0, "they have played themselves since"
    assert left(runtime, game_id) == 1


def test_players_who_miss_a_deadline_together_each_spend_a_day(runtime, client):
    game_id = with_vacation(runtime, start_game(runtime), days=1)
    pass_lowest(runtime, game_id, ANN)
    set_preferences(runtime, "Cy", time_zone="Asia/Tokyo", days_off=frozenset({2}))
    runtime.now.at = due_at(runtime, game_id)  # a Tuesday, Wednesday in Tokyo from 15:00 on
    assert miss_deadline(runtime, game_id) == 0
    assert [left(runtime, game_id, seat) for seat in (ANN, BO, CY, DI)] == [1, 0, 0, 0]
    assert due_at(runtime, game_id) == runtime.now() + 2 * DAY, "a day, and Cy's day off"
    tomorrow = runtime.now().date() + DAY
    add_holiday(runtime, player_id(runtime, "Bo"), tomorrow, tomorrow + 5 * DAY, runtime.now())
    assert miss_deadline(runtime, game_id) == 3
    assert [load(runtime, game_id).seats[seat].missed for seat in (ANN, BO, CY, DI)] == [0, 1, 1, 1]


@pytest.mark.parametrize(
    ("days", "pace"),
    [
        pytest.param(0, DAY, id="the table has none"),
        pytest.param(3, 6 * HOUR, id="a quick table"),
        pytest.param(3, HOUR / 60, id="a live table"),
    ],
)
def test_without_a_vacation_day_a_robot_plays_at_the_deadline(runtime, days, pace):
    game_id = with_vacation(runtime, start_game(runtime, pace=pace), days)
    for seat in (ANN, BO, DI):
        pass_lowest(runtime, game_id, seat)
    assert miss_deadline(runtime, game_id) >= 1
    assert vacation_of(load(runtime, game_id).seats[CY]).days == 0


def test_simultaneous_sweeps_take_one_day_and_none_after_a_card(either_runtime):
    runtime = either_runtime
    game_id = with_vacation(runtime, waiting_game(runtime))
    runtime.now.at = due_at(runtime, game_id) - HOUR
    postman.deliver(runtime)
    runtime.now.at = due_at(runtime, game_id)
    with ThreadPoolExecutor(4) as pool:
        sweeps = [pool.submit(due_games.play_for_absent, runtime, game_id) for _ in range(3)]
        card = pool.submit(play_first, runtime, game_id)
    assert sum(sweep.result() for sweep in sweeps) == 0
    card.result()
    assert 3 - left(runtime, game_id) <= 1
    assert records(runtime, game_id)[-1].source is not TurnSource.TIMEOUT
