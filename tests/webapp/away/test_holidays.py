"""Holidays and weekly days off: no time of a player passes on them, and they hold up no game for ever."""

from datetime import UTC, date, datetime, timedelta

from hearts.game import Stage
from tests.answers import player
from tests.cast import NAMES, load, start_game
from tests.mailing import preferences_url, set_preferences
from tests.playing import play_first
from tests.submitting import PREFERENCES
from tests.webapp.holidays import add_holiday
from webapp.play import due_games


def test_on_days_off_the_time_of_a_player_stands_still(runtime, client):
    game_id = start_game(runtime, NAMES[:2], robots=2)
    for name in NAMES[:2]:
        weekend = {"day_off_5": "yes", "day_off_6": "yes"}
        assert client.post(preferences_url(runtime, name), data={**PREFERENCES, **weekend}).status_code == 303
        assert player(runtime, name).days_off == 0b1100000
    runtime.now.at = datetime(2026, 3, 6, 12, tzinfo=UTC)  # a Friday
    due_games.play_for_absent(runtime, game_id)
    for _ in range(2):
        play_first(runtime, game_id)
        due_games.play_for_absent(runtime, game_id)
    stored = load(runtime, game_id)
    assert stored.game.stage is Stage.PLAY
    assert stored.row.due_at == runtime.now() + timedelta(days=3), "not on Saturday, but on Monday"


def test_changed_weekly_days_off_move_the_running_deadlines(runtime):
    runtime.now.at = datetime(2026, 3, 3, 12, tzinfo=UTC)  # a Tuesday
    game_id = start_game(runtime, NAMES[:2], robots=2)
    live = start_game(runtime, NAMES[:2], robots=2, pace=timedelta(minutes=1))
    due_games.play_for_absent(runtime, game_id)
    asked, live_due = runtime.now(), load(runtime, live).row.due_at
    before = load(runtime, game_id).row.due_at
    runtime.now.pass_by(timedelta(hours=5))
    set_preferences(runtime, "Bo", days_off=frozenset({2, 3}))  # Wednesday and Thursday
    moved = load(runtime, game_id).row
    assert moved.due_at == before + timedelta(days=2)
    assert load(runtime, live).row.due_at == live_due
    play_first(runtime, game_id)  # Ann, who else would keep the time that she was told
    set_preferences(runtime, "Bo", days_off=frozenset())
    assert load(runtime, game_id).row.due_at == before
    assert asked < before


def test_taking_every_day_off_delays_no_game_for_ever(runtime):
    game_id = start_game(runtime, NAMES[:2], robots=2)
    due_games.play_for_absent(runtime, game_id)
    asked = runtime.now()
    while runtime.now() < load(runtime, game_id).row.due_at:
        today = runtime.now().weekday()
        set_preferences(runtime, "Bo", days_off=frozenset({today, (today + 1) % 7}))
        runtime.now.pass_by(timedelta(hours=8))
    assert runtime.now() - asked < timedelta(days=5)


def test_holidays_stop_a_players_time_at_all_tables(runtime):
    runtime.now.at = datetime(2026, 3, 3, 12, tzinfo=UTC)  # a Tuesday
    games = [start_game(runtime, NAMES[:2], robots=2) for _ in range(2)]
    live = start_game(runtime, NAMES[:2], robots=2, pace=timedelta(minutes=1))
    for game_id in games:
        due_games.play_for_absent(runtime, game_id)
    due = [load(runtime, game_id).row.due_at for game_id in (*games, live)]
    bo = player(runtime, "Bo").id

    def moved():
        return [load(runtime, one).row.due_at - before for one, before in zip((*games, live), due, strict=True)]

    none, days = timedelta(), timedelta(days=1)
    add_holiday(runtime, bo, date(2026, 3, 4), date(2026, 3, 5), runtime.now())
    assert moved() == [2 * days, 2 * days, none]
