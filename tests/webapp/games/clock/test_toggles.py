"""A deadline counts from when its decision was first asked: no toggle of a player's restarts it."""

from contextlib import suppress
from datetime import timedelta

import pytest

from tests.cast import PACE, start_game
from tests.mailing import DAILY, LAST, set_preferences
from tests.playing import waiting_game
from tests.table import ask_all
from tests.webapp.going_away import set_away, set_mails
from tests.webapp.tables import hosted
from tests.webapp.tables.hosted import CY, accept, host_of
from tests.webapp.tables.lending import ask, come_back
from webapp.core.say import Refused
from webapp.games.asked.due import due_of
from webapp.games.clock.hours import AFTER_QUIET_HOURS, fair_time
from webapp.outbox.questions import TooSoon
from webapp.players import preferences
from webapp.players.preferences import set_robot_hand
from webapp.tables import hosting
from webapp.tables.hosting import Pace

NIGHT = AFTER_QUIET_HOURS + timedelta(hours=16)  # by so much may quiet hours move a deadline


def go_and_come_back(table):
    for is_away in (True, False):
        set_away(table.runtime, table.table_id, CY, away=is_away)


def hand_over_and_take_back(table):
    table_id, player_id = table.table_id, table.seats[CY].player_id
    set_robot_hand(table.runtime, player_id, table_id, 1, table.runtime.now())
    set_away(table.runtime, table_id, CY, away=False)


def change_quiet_hours(table):
    begins = table.runtime.now().hour
    set_preferences(table.runtime, "Cy", quiet=(begins, (begins + 8) % 24))
    go_and_come_back(table)


def change_days_off(table):
    set_preferences(table.runtime, "Cy", days_off=frozenset({table.runtime.now().weekday()}))
    set_preferences(table.runtime, "Cy", days_off=frozenset())


def lend_and_take_back(table):
    link, owner = ask(table, CY), table.seats[CY].player_id
    accept(table.runtime, link)
    come_back(table.runtime, link, owner)


def pause_and_resume(table):
    for paused in (True, False):
        hosting.pause(table.runtime, host_of(table.runtime, table.table_id), paused=paused, now=table.runtime.now())


def change_pace(table):
    for pace in (timedelta(days=3), timedelta(days=1)):
        with suppress(Refused):  # too often
            hosted.change_pace(table.runtime, table.table_id, Pace(pace, pace))


def move_to_another_zone_and_frequency(table):
    for zone, frequency in (("Asia/Tokyo", DAILY), ("America/New_York", LAST)):
        set_preferences(table.runtime, "Cy", time_zone=zone, frequency=frequency)


def mute_and_unmute(table):
    for mails in (False, True):
        set_mails(table.runtime, table.table_id, CY, mails=mails)


def have_it_mailed_again(table):
    with suppress(TooSoon):
        preferences.mail_again(table.runtime, table.game_id, CY, due_of(table.game, CY), table.runtime.now())


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
    table = waiting_game(runtime)
    asked_at, due, turns = runtime.now(), table.due_at, table.stored.turns
    for _ in range(60):
        toggle(table)
        ask_all(runtime)
        table.play_for_absent()
        if table.stored.turns > turns or runtime.now() >= table.due_at:
            break
        due = table.due_at
        runtime.now.at = max(runtime.now() + timedelta(minutes=1), due - timedelta(minutes=20))
    runtime.now.at = due
    table.play_for_absent()
    assert table.stored.turns > turns
    assert due <= asked_at + PACE + later + NIGHT


def test_each_question_has_a_time_of_its_own(runtime):
    table = start_game(runtime)
    ask_all(runtime)
    runtime.now.at = table.due_at
    assert table.play_for_absent()
    assert table.due_at >= runtime.now() + PACE


def test_who_takes_a_seat_over_has_a_full_time_once(runtime):
    table = waiting_game(runtime)
    runtime.now.pass_by(timedelta(hours=20))
    link = ask(table, CY)
    accept(runtime, link)
    assert table.due_at >= runtime.now() + PACE


def test_a_pause_lets_the_time_left_stand(runtime):
    table = waiting_game(runtime)
    left = table.due_at - runtime.now()
    host = host_of(runtime, table.table_id)
    hosting.pause(runtime, host, paused=True, now=runtime.now())
    runtime.now.pass_by(timedelta(days=2))
    hosting.pause(runtime, host, paused=False, now=runtime.now())
    assert table.due_at - runtime.now() >= left
