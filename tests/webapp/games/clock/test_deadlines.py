"""The deadline of a question, which avoids the nights of those whom it asks."""

from datetime import UTC, datetime, timedelta

from tests.cast import NAMES, PACE, load, start_game
from tests.mailing import set_preferences
from tests.playing import pass_all, play_first


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
