"""The deadline of a question avoids the nights of those whom it asks, and no change takes time that they were told."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.cast import NAMES, PACE, letters, start_game
from tests.mailing import set_preferences
from tests.playing import waiting_game
from tests.table import ask_all
from tests.webapp.tables.hosted import host_of
from tests.webapp.vacations import take_by_hand, with_vacation
from webapp.games.clock.clocks import forget, is_stopped, settle
from webapp.games.clock.hours import FIRST_ARRIVAL, fair_time
from webapp.models import GameState, LetterKind
from webapp.outbox import lateness
from webapp.play import course
from webapp.tables import hosting

ANN, BO, CY, DI = range(4)
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
SATURDAY = frozenset({5})  # no day of these questions, which begin on a Monday


def pause(table, time=HOUR, times=1):
    for _ in range(times):
        for paused in (True, False):
            host = host_of(table.runtime, table.table_id)
            hosting.pause(table.runtime, host, paused=paused, now=table.runtime.now())
            table.runtime.now.pass_by(time if paused else timedelta())


def take_a_spare_day(runtime):
    """A game whose four players have missed the pass, so that a spare day runs for each."""
    table = with_vacation(start_game(runtime))
    ask_all(runtime)
    runtime.now.at = table.due_at
    table.play_for_absent()
    return table


def be_asked_late(runtime):
    """A game whose questions have waited for 20 hours."""
    table = start_game(runtime)
    waiting = letters(runtime, LetterKind.TURNS)
    runtime.now.pass_by(20 * HOUR)
    for letter in waiting:
        lateness.postpone_for_late_mail(runtime, letter, runtime.now())
    ask_all(runtime)
    return table


def get_a_shorter_pace(runtime):
    """A game whose question keeps the three days of the pace at which it was asked."""
    table = start_game(runtime, pace=3 * PACE)
    with table.changing() as game:
        game.table.pass_seconds = 3600
        course.clock_changed(game)
    return table


@pytest.mark.parametrize("begin", [take_a_spare_day, be_asked_late, get_a_shorter_pace])
def test_pauses_leave_whatever_time_players_were_told(runtime, begin):
    table = begin(runtime)
    told, turns = table.due_at, table.stored.turns
    assert told - runtime.now() > fair_time(PACE) + HOUR
    pause(table, times=2)
    assert table.due_at >= told + 2 * HOUR
    runtime.now.at = told
    table.play_for_absent()
    assert table.stored.turns == turns


def test_a_pause_after_a_pause_gives_no_fair_time_again(runtime):
    table = waiting_game(runtime)
    runtime.now.at = table.due_at - HOUR
    pause(table)
    assert table.due_at == runtime.now() + fair_time(PACE)
    runtime.now.pass_by(5 * HOUR)
    pause(table)
    assert table.due_at == runtime.now() + HOUR


def test_live_play_with_a_pause_leaves_the_time_of_before(runtime):
    table = be_asked_late(runtime)
    table.pass_all([ANN, BO])
    told = table.due_at
    table.come_together()
    begun = runtime.now()
    pause(table, 10 * MINUTE)
    assert table.due_at <= runtime.now() + FIRST_ARRIVAL, "it goes on live"
    table.part(CY)
    assert table.due_at >= told + (runtime.now() - begun)


@pytest.mark.parametrize("others", [(), (ANN, BO, DI)], ids=["all asked", "one asked"])
def test_days_off_leave_the_fair_time_after_a_pause(runtime, others):
    table = start_game(runtime)
    table.pass_all(others)
    runtime.now.at = table.due_at - HOUR
    pause(table)
    told = table.due_at
    set_preferences(runtime, "Cy", days_off=SATURDAY)
    assert table.due_at == told == runtime.now() + fair_time(PACE)


def test_ones_days_off_take_no_time_from_others(runtime):
    table = with_vacation(start_game(runtime))
    take_by_hand(table, BO, 3)
    table.pass_lowest(BO)
    told = table.due_at
    assert told > runtime.now() + 3 * PACE
    set_preferences(runtime, "Cy", days_off=SATURDAY)
    assert table.due_at == told
    table.pass_all([ANN, DI])
    set_preferences(runtime, "Cy", days_off=frozenset())
    assert runtime.now() + PACE <= table.due_at < told, "alone they may bring it closer for themselves"


def test_the_latest_deadline_of_a_pass_avoids_every_players_night(runtime):
    runtime.now.pass_by(timedelta(hours=10))
    after_night = datetime(2026, 3, 4, 10, tzinfo=UTC)
    assert start_game(runtime).row.due_at == after_night, "of all, three hours after the night"
    for name in ("Ann", "Bo", "Cy"):
        set_preferences(runtime, name, quiet=None)
    assert start_game(runtime).row.due_at == after_night, "Di sleeps, and the others wait for her"
    set_preferences(runtime, "Di", quiet=None)
    assert start_game(runtime).row.due_at == runtime.now() + PACE


def test_the_deadline_of_a_card_avoids_its_own_players_night(runtime):
    table = start_game(runtime)
    runtime.now.pass_by(timedelta(hours=9))
    for name in NAMES:
        set_preferences(runtime, name, quiet=None)
    table.pass_all()
    assert table.due_at == runtime.now() + PACE
    for name in NAMES:
        set_preferences(runtime, name)
    runtime.now.pass_by(timedelta(hours=1))
    table.play_first()
    assert table.due_at == datetime(2026, 3, 4, 10, tzinfo=UTC)


@pytest.mark.parametrize(("pace", "sleeps"), [(PACE, PACE), (MINUTE, FIRST_ARRIVAL)], ids=["by mail", "live"])
def test_a_game_of_people_sleeps_until_its_deadline(runtime, pace, sleeps):
    assert start_game(runtime, pace=pace).row.wake_at == runtime.now() + sleeps


def test_only_a_deadline_that_moves_is_told_anew(runtime):
    with start_game(runtime).changing() as game:
        assert settle(game.session, game.stored, game.now) == []
        forget(game.stored)
        assert [hand.game.hand for hand in settle(game.session, game.stored, game.now)] == [1]


def test_a_game_that_nothing_wakes_is_stopped_until_over(runtime):
    stored = start_game(runtime).to_change()
    assert not is_stopped(stored)
    stored.row.wake_at = None
    assert is_stopped(stored)
    stored.row.state = GameState.OVER
    assert not is_stopped(stored)
