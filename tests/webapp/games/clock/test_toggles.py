"""A deadline counts from when its decision was first asked: no toggle of a player's restarts it."""

from contextlib import suppress
from datetime import timedelta

import pytest

from tests.cast import PACE, load, start_game
from tests.mailing import DAILY, LAST, set_preferences
from tests.playing import ask_all, due_at, waiting_game
from tests.webapp.going_away import set_away, set_mails
from tests.webapp.tables import hosted
from tests.webapp.tables.hosted import CY, accept, host_of, seat_of, table_of
from tests.webapp.tables.lending import ask, come_back
from webapp.core.say import Refused
from webapp.games.asked.due import due_of
from webapp.games.clock.hours import AFTER_QUIET_HOURS, fair_time
from webapp.outbox.questions import TooSoon
from webapp.play import due_games
from webapp.players import preferences
from webapp.players.preferences import set_robot_hand
from webapp.tables import hosting
from webapp.tables.hosting import Pace

NIGHT = AFTER_QUIET_HOURS + timedelta(hours=16)  # by so much may quiet hours move a deadline


def go_and_come_back(runtime, game_id):
    for is_away in (True, False):
        set_away(runtime, table_of(runtime, game_id), CY, away=is_away)


def hand_over_and_take_back(runtime, game_id):
    table_id, player_id = table_of(runtime, game_id), seat_of(runtime, game_id, CY).player_id
    set_robot_hand(runtime, player_id, table_id, 1, runtime.now())
    set_away(runtime, table_id, CY, away=False)


def change_quiet_hours(runtime, game_id):
    begins = runtime.now().hour
    set_preferences(runtime, "Cy", quiet=(begins, (begins + 8) % 24))
    go_and_come_back(runtime, game_id)


def change_days_off(runtime, game_id):
    set_preferences(runtime, "Cy", days_off=frozenset({runtime.now().weekday()}))
    set_preferences(runtime, "Cy", days_off=frozenset())


def lend_and_take_back(runtime, game_id):
    link, owner = ask(runtime, game_id, CY), seat_of(runtime, game_id, CY).player_id
    accept(runtime, link)
    come_back(runtime, link, owner)


def pause_and_resume(runtime, game_id):
    for paused in (True, False):
        hosting.pause(runtime, host_of(runtime, table_of(runtime, game_id)), paused=paused, now=runtime.now())


def change_pace(runtime, game_id):
    for pace in (timedelta(days=3), timedelta(days=1)):
        with suppress(Refused):  # too often
            hosted.change_pace(runtime, table_of(runtime, game_id), Pace(pace, pace))


def move_to_another_zone_and_frequency(runtime, game_id):
    for zone, frequency in (("Asia/Tokyo", DAILY), ("America/New_York", LAST)):
        set_preferences(runtime, "Cy", time_zone=zone, frequency=frequency)


def mute_and_unmute(runtime, game_id):
    for mails in (False, True):
        set_mails(runtime, table_of(runtime, game_id), CY, mails=mails)


def have_it_mailed_again(runtime, game_id):
    with suppress(TooSoon):
        preferences.mail_again(runtime, game_id, CY, due_of(load(runtime, game_id).game, CY), runtime.now())


TOGGLES = {
    go_and_come_back: timedelta(),
    hand_over_and_take_back: timedelta(),
    change_quiet_hours: NIGHT,
    change_days_off: PACE,
    lend_and_take_back: PACE,
    pause_and_resume: fair_time(PACE),
    change_pace: timedelta(days=2),
    move_to_another_zone_and_frequency: NIGHT,
    mute_and_unmute: timedelta(),
    have_it_mailed_again: timedelta(),
}


@pytest.mark.parametrize(("toggle", "later"), TOGGLES.items(), ids=[one.__name__ for one in TOGGLES])
def test_no_toggle_moves_a_deadline_for_ever(runtime, toggle, later):
    game_id = waiting_game(runtime)
    asked_at, due, turns = runtime.now(), due_at(runtime, game_id), load(runtime, game_id).turns
    for _ in range(60):
        toggle(runtime, game_id)
        ask_all(runtime)
        due_games.play_for_absent(runtime, game_id)
        if load(runtime, game_id).turns > turns or runtime.now() >= due_at(runtime, game_id):
            break
        due = due_at(runtime, game_id)
        runtime.now.at = max(runtime.now() + timedelta(minutes=1), due - timedelta(minutes=20))
    runtime.now.at = due
    due_games.play_for_absent(runtime, game_id)
    assert load(runtime, game_id).turns > turns
    assert due <= asked_at + PACE + later + NIGHT


def test_each_question_has_a_time_of_its_own(runtime):
    game_id = start_game(runtime)
    ask_all(runtime)
    runtime.now.at = due_at(runtime, game_id)
    assert due_games.play_for_absent(runtime, game_id)
    assert due_at(runtime, game_id) >= runtime.now() + PACE


def test_who_takes_a_seat_over_has_a_full_time_once(runtime):
    game_id = waiting_game(runtime)
    runtime.now.pass_by(timedelta(hours=20))
    link = ask(runtime, game_id, CY)
    accept(runtime, link)
    assert due_at(runtime, game_id) >= runtime.now() + PACE


def test_a_pause_lets_the_time_left_stand(runtime):
    game_id = waiting_game(runtime)
    left = due_at(runtime, game_id) - runtime.now()
    host = host_of(runtime, table_of(runtime, game_id))
    hosting.pause(runtime, host, paused=True, now=runtime.now())
    runtime.now.pass_by(timedelta(days=2))
    hosting.pause(runtime, host, paused=False, now=runtime.now())
    assert due_at(runtime, game_id) - runtime.now() >= left
