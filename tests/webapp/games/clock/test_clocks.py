"""The deadline of a question avoids the nights of those whom it asks, and no change takes time that they were told."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.cast import NAMES, PACE, letters, load, start_game
from tests.mailing import set_preferences
from tests.playing import ask_all, due_at, pass_all, pass_lowest, play_first, waiting_game
from tests.together import MINUTE, come_together, part
from tests.webapp.tables.hosted import host_of, table_of
from tests.webapp.vacations import take_by_hand, with_vacation
from webapp.games.clock.hours import FIRST_ARRIVAL, fair_time
from webapp.games.record import changing
from webapp.models import LetterKind
from webapp.outbox import lateness
from webapp.play import course, due_games
from webapp.tables import hosting

ANN, BO, CY, DI = range(4)
HOUR = timedelta(hours=1)
SATURDAY = frozenset({5})  # no day of these questions, which begin on a Monday


def pause(runtime, game_id, time=HOUR, times=1):
    for _ in range(times):
        for paused in (True, False):
            host = host_of(runtime, table_of(runtime, game_id))
            hosting.pause(runtime, host, paused=paused, now=runtime.now())
            runtime.now.pass_by(time if paused else timedelta())


def take_a_spare_day(runtime):
    """A game whose four players have missed the pass, so that a spare day runs for each."""
    game_id = with_vacation(runtime, start_game(runtime))
    ask_all(runtime)
    runtime.now.at = due_at(runtime, game_id)
    due_games.play_for_absent(runtime, game_id)
    return game_id


def be_asked_late(runtime):
    """A game whose questions have waited for 20 hours."""
    game_id = start_game(runtime)
    waiting = letters(runtime, LetterKind.TURNS)
    runtime.now.pass_by(20 * HOUR)
    for letter in waiting:
        lateness.postpone_for_late_mail(runtime, letter, runtime.now())
    ask_all(runtime)
    return game_id


def get_a_shorter_pace(runtime):
    """A game whose question keeps the three days of the pace at which it was asked."""
    game_id = start_game(runtime, pace=3 * PACE)
    with changing.game(runtime, game_id, runtime.now()) as game:
        game.table.pass_seconds = 3600
        course.clock_changed(game)
    return game_id


@pytest.mark.parametrize("begin", [take_a_spare_day, be_asked_late, get_a_shorter_pace])
def test_pauses_leave_whatever_time_players_were_told(runtime, begin):
    game_id = begin(runtime)
    told, turns = due_at(runtime, game_id), load(runtime, game_id).turns
    assert told - runtime.now() > fair_time(PACE) + HOUR
    pause(runtime, game_id, times=2)
    assert due_at(runtime, game_id) >= told + 2 * HOUR
    runtime.now.at = told
    due_games.play_for_absent(runtime, game_id)
    assert load(runtime, game_id).turns == turns


def test_a_pause_after_a_pause_gives_no_fair_time_again(runtime):
    game_id = waiting_game(runtime)
    runtime.now.at = due_at(runtime, game_id) - HOUR
    pause(runtime, game_id)
    assert due_at(runtime, game_id) == runtime.now() + fair_time(PACE)
    runtime.now.pass_by(5 * HOUR)
    pause(runtime, game_id)
    assert due_at(runtime, game_id) == runtime.now() + HOUR


def test_live_play_with_a_pause_leaves_the_time_of_before(runtime):
    game_id = be_asked_late(runtime)
    pass_all(runtime, game_id, [ANN, BO])
    told = due_at(runtime, game_id)
    come_together(runtime, game_id)
    begun = runtime.now()
    pause(runtime, game_id, 10 * MINUTE)
    assert due_at(runtime, game_id) <= runtime.now() + FIRST_ARRIVAL, "it goes on live"
    part(runtime, game_id, CY)
    assert due_at(runtime, game_id) >= told + (runtime.now() - begun)


@pytest.mark.parametrize("others", [(), (ANN, BO, DI)], ids=["all asked", "one asked"])
def test_days_off_leave_the_fair_time_after_a_pause(runtime, others):
    game_id = start_game(runtime)
    pass_all(runtime, game_id, others)
    runtime.now.at = due_at(runtime, game_id) - HOUR
    pause(runtime, game_id)
    told = due_at(runtime, game_id)
    set_preferences(runtime, "Cy", days_off=SATURDAY)
    assert due_at(runtime, game_id) == told == runtime.now() + fair_time(PACE)


def test_ones_days_off_take_no_time_from_others(runtime):
    game_id = with_vacation(runtime, start_game(runtime))
    take_by_hand(runtime, game_id, BO, 3)
    pass_lowest(runtime, game_id, BO)
    told = due_at(runtime, game_id)
    assert told > runtime.now() + 3 * PACE
    set_preferences(runtime, "Cy", days_off=SATURDAY)
    assert due_at(runtime, game_id) == told
    pass_all(runtime, game_id, [ANN, DI])
    set_preferences(runtime, "Cy", days_off=frozenset())
    assert runtime.now() + PACE <= due_at(runtime, game_id) < told, "alone they may bring it closer for themselves"


def test_the_latest_deadline_of_a_pass_avoids_every_players_night(runtime):
    runtime.now.pass_by(timedelta(hours=10))
    after_night = datetime(2026, 3, 4, 10, tzinfo=UTC)
    assert load(runtime, start_game(runtime)).row.due_at == after_night, "of all, three hours after the night"
    for name in ("Ann", "Bo", "Cy"):
        set_preferences(runtime, name, quiet=None)
    assert load(runtime, start_game(runtime)).row.due_at == after_night, "Di sleeps, and the others wait for her"
    set_preferences(runtime, "Di", quiet=None)
    assert load(runtime, start_game(runtime)).row.due_at == runtime.now() + PACE


def test_the_deadline_of_a_card_avoids_its_own_players_night(runtime):
    game_id = start_game(runtime)
    runtime.now.pass_by(timedelta(hours=9))
    for name in NAMES:
        set_preferences(runtime, name, quiet=None)
    pass_all(runtime, game_id)
    assert load(runtime, game_id).row.due_at == runtime.now() + PACE
    for name in NAMES:
        set_preferences(runtime, name)
    runtime.now.pass_by(timedelta(hours=1))
    play_first(runtime, game_id)
    assert load(runtime, game_id).row.due_at == datetime(2026, 3, 4, 10, tzinfo=UTC)
