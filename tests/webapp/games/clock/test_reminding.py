"""The times for reminding that a hand's clock keeps, and when the service wakes for them."""

from datetime import timedelta

import pytest

from tests.cast import load, start_game
from tests.reminding import sleeps
from webapp.games.asked.due import Due
from webapp.games.clock import reminding
from webapp.games.clock.pace import extend_deadline, set_deadline, set_wake
from webapp.games.record import store

ANN, BO = 0, 1
HOUR = timedelta(hours=1)
PASS = Due(1, "pass")


@pytest.fixture
def stored(runtime):
    """A game in which all pass, and nobody is to be reminded yet."""
    game_id = start_game(runtime)
    with runtime.database.writing() as session:
        found = store.load(session, game_id)
        set_deadline(found.clock, runtime.now() + 24 * HOUR, runtime.now())
        set_wake(found, runtime.now())
        yield found


def kept(stored):
    return {one.seat: (one.due, list(one.times)) for one in reminding.kept_by(stored.clock)}


def test_what_is_kept_for_a_seat_replaces_what_was(runtime, stored):
    now = runtime.now()
    reminding.keep(stored, ANN, PASS, [now + HOUR, now + 2 * HOUR])
    reminding.keep(stored, BO, PASS, [now + 3 * HOUR])
    reminding.keep(stored, ANN, PASS, [now + 4 * HOUR])
    assert kept(stored) == {ANN: (PASS, [now + 4 * HOUR]), BO: (PASS, [now + 3 * HOUR])}
    reminding.keep(stored, ANN, PASS, [])
    reminding.keep(stored, BO, PASS, [])
    assert stored.clock.reminders is None


def test_the_service_wakes_for_the_reminder_then_the_deadline(runtime, stored):
    now = runtime.now()
    reminding.keep(stored, BO, PASS, [now + 3 * HOUR, now + 5 * HOUR])
    reminding.keep(stored, ANN, PASS, [now + 4 * HOUR])
    assert stored.row.wake_at == stored.row.remind_at == reminding.next_at(stored.clock) == now + 3 * HOUR
    set_wake(stored, now)
    assert stored.row.wake_at == now + 3 * HOUR
    for seat in (ANN, BO):
        reminding.keep(stored, seat, PASS, [])
    set_wake(stored, now)
    assert (stored.row.wake_at, stored.row.remind_at) == (now + 24 * HOUR, None)


def test_a_game_that_waits_without_a_deadline_is_not_woken(runtime, stored):
    stored.row.wake_at = None
    reminding.keep(stored, BO, PASS, [runtime.now() + HOUR])
    assert stored.row.wake_at is None


def test_a_new_question_forgets_reminders_that_a_later_deadline_keeps(runtime, stored):
    now = runtime.now()
    reminding.keep(stored, BO, PASS, [now + HOUR])
    extend_deadline(stored.clock, now + 30 * HOUR, now)
    assert kept(stored) == {BO: (PASS, [now + HOUR])}
    set_deadline(stored.clock, now + 40 * HOUR, now)
    assert kept(stored) == {}


def test_the_earliest_reminder_of_all_hands_wakes_the_game(runtime):
    row = load(runtime, start_game(runtime, at_once=4)).row
    assert row.reminders is None, "each hand has a clock of its own"
    assert row.remind_at is not None
    assert sleeps(row)
