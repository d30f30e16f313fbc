"""A deadline counts from when its decision was first asked: no toggle of a player's restarts it."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest

from tests.cast import PACE, start_game
from tests.playing import waiting_game
from tests.table import ask_all
from tests.webapp.going_away import set_away, set_mails
from tests.webapp.tables.hosted import CY, accept, host_of
from tests.webapp.tables.lending import ask
from webapp.games.asked.due import due_of
from webapp.games.clock.deadline import Asked, Hand, settle
from webapp.games.clock.hours import AFTER_QUIET_HOURS, DaysOff, Hours, Quiet, fair_time
from webapp.models import Clock
from webapp.outbox.questions import TooSoon
from webapp.players import preferences
from webapp.players.preferences import set_robot_hand
from webapp.tables import hosting

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
AT = datetime(2026, 3, 2, 12, tzinfo=UTC)
NIGHT = AFTER_QUIET_HOURS + timedelta(hours=16)  # by so much may quiet hours move a deadline
OWNER, FRIEND = 3, 5
LATE = Quiet(22, 7)


def asks(player=OWNER, hours=None, pace=PACE, **more):
    """The table asks that player in Cy's seat."""
    return Hand("trick 1", {CY: Asked(player, pace)}, {player: hours or Hours()}, pace, **more)


def quiet_from(now):
    return asks(hours=Hours(quiet=Quiet(now.hour, (now.hour + 8) % 24)))


def off_on(now):
    return asks(hours=Hours(days_off=DaysOff(frozenset({now.weekday()}))))


AWAY = Hand("trick 1", {}, {}, PACE)
TOGGLES = [
    pytest.param(lambda _: (AWAY, asks()), timedelta(), id="go away and come back"),
    pytest.param(lambda now: (quiet_from(now), AWAY, quiet_from(now)), NIGHT, id="have the night begin now"),
    pytest.param(lambda now: (off_on(now), asks()), PACE, id="take the day off and work after all"),
    pytest.param(lambda _: (asks(FRIEND), asks()), PACE, id="lend the seat and take it back"),
    pytest.param(lambda _: (asks(stands=True), asks()), fair_time(PACE), id="pause and go on"),
    pytest.param(lambda _: (asks(pace=3 * DAY), asks()), 2 * DAY, id="play more slowly, and as before"),
    pytest.param(
        lambda _: (asks(hours=Hours("Asia/Tokyo", LATE)), asks(hours=Hours("America/New_York", LATE))),
        NIGHT,
        id="move to another zone and back",
    ),
]


@pytest.mark.parametrize(("toggle", "later"), TOGGLES)
def test_no_toggle_moves_a_deadline_for_ever(toggle, later):
    now, clock = AT, settle(Clock(), asks(), AT)
    for _ in range(60):
        for hand in toggle(now):
            clock = settle(clock, hand, now, OWNER)
        if now >= clock.due_at:
            break
        now = max(now + MINUTE, clock.due_at - 20 * MINUTE)
    assert AT + PACE <= clock.due_at <= AT + PACE + later + NIGHT


# the service obeys


def go_and_come_back(table):
    for is_away in (True, False):
        set_away(table.runtime, table.table_id, CY, away=is_away)


def hand_over_and_take_back(table):
    table_id, player_id = table.table_id, table.seats[CY].player_id
    set_robot_hand(table.runtime, player_id, table_id, 1, table.runtime.now())
    set_away(table.runtime, table_id, CY, away=False)


def mute_and_unmute(table):
    for mails in (False, True):
        set_mails(table.runtime, table.table_id, CY, mails=mails)


def have_it_mailed_again(table):
    with suppress(TooSoon):
        preferences.mail_again(table.runtime, table.game_id, CY, due_of(table.game, CY), table.runtime.now())


@pytest.mark.parametrize("toggle", [go_and_come_back, hand_over_and_take_back, mute_and_unmute, have_it_mailed_again])
def test_a_player_who_comes_back_or_unmutes_moves_nothing(runtime, toggle):
    table = waiting_game(runtime)
    due, turns = table.due_at, table.stored.turns
    for left in (20 * MINUTE, MINUTE):
        ask_all(runtime)
        runtime.now.at = due - left
        toggle(table)
        table.play_for_absent()
        assert (table.due_at, table.stored.turns) == (due, turns)
    runtime.now.at = due
    table.play_for_absent()
    assert table.stored.turns > turns


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
