"""Reminders are queued when they are due, once, and only for who has not answered and still wants them."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from tests.cast import letters, load, start_game
from tests.mailing import DAILY, letters_to, set_preferences
from tests.playing import pass_lowest, play_first
from tests.reminding import reminder_times, wait_for_reminder
from tests.webapp.going_away import set_mails
from webapp.games.asked.due import due_of
from webapp.games.clock.hours import Quiet
from webapp.games.record import store
from webapp.models import GameRow, LetterKind, LetterState, SeatRow
from webapp.outbox import in_game
from webapp.outbox.questions import queue_question
from webapp.play import due_games
from worker import postman

BO, CY, DI = 1, 2, 3
HOUR = timedelta(hours=1)


@pytest.fixture
def game_id(runtime):
    return start_game(runtime)


def reminders(runtime, name="Bo"):
    return letters_to(runtime, name, LetterKind.REMINDER)


def test_a_reminder_is_queued_and_sent_only_when_due(runtime, game_id):
    postman.deliver(runtime)
    half, last = reminder_times(runtime, game_id, BO)
    runtime.now.at = half - timedelta(seconds=1)
    due_games.play_due(runtime)
    assert reminders(runtime) == []
    for number, at in enumerate((half, last), 1):
        runtime.now.at = at
        due_games.play_due(runtime)
        assert [one.created_at for one in reminders(runtime)][-1] == at
        postman.deliver(runtime)
        assert [one.state for one in reminders(runtime)] == [LetterState.KEPT] * number
        assert "Reminder: " in reminders(runtime)[-1].subject
    assert reminder_times(runtime, game_id, BO) == []


def test_after_a_long_outage_one_reminder_goes_instead_of_two(runtime, game_id):
    last = max(reminder_times(runtime, game_id, seat)[-1] for seat in range(4))
    assert last < load(runtime, game_id).row.due_at
    runtime.now.at = last
    due_games.play_due(runtime)
    assert sorted(one.seat for one in letters(runtime, LetterKind.REMINDER)) == [0, 1, 2, 3]


def test_two_workers_at_once_queue_one_reminder(either_runtime):
    game_id = start_game(either_runtime)
    either_runtime.now.at = load(either_runtime, game_id).row.remind_at
    with ThreadPoolExecutor(4) as workers:
        assert list(workers.map(lambda _: due_games.play_for_absent(either_runtime, game_id), range(4))) == [0] * 4
    seats = [one.seat for one in letters(either_runtime, LetterKind.REMINDER)]
    assert seats
    assert len(seats) == len(set(seats))


def test_who_has_answered_is_not_reminded(runtime, game_id):
    pass_lowest(runtime, game_id, BO)
    runtime.now.at = load(runtime, game_id).row.due_at - timedelta(minutes=1)
    due_games.play_due(runtime)
    assert {one.seat for one in letters(runtime, LetterKind.REMINDER)} == {0, CY, DI}


def test_nobody_is_reminded_of_an_earlier_question(runtime, game_id):
    """The version before leaves the times of the question before in the clock when it deals with a turn."""
    kept = load(runtime, game_id).clock.reminders
    while (stored := load(runtime, game_id)).game.to_act != (BO,):
        play_first(runtime, game_id)
    with runtime.database.writing() as session:
        row = session.get_one(GameRow, game_id)
        row.reminders, row.remind_at, row.wake_at = kept, runtime.now() + HOUR, runtime.now() + HOUR
    while load(runtime, game_id).row.remind_at:
        wait_for_reminder(runtime, game_id)
    assert letters(runtime, LetterKind.REMINDER) == []
    assert load(runtime, game_id).row.wake_at == stored.row.due_at


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        pytest.param({}, ["03-03 07:00", "03-03 09:15"], id="as they were"),
        pytest.param({"frequency": DAILY}, ["03-03 09:15"], id="fewer mails: the last one is enough"),
        pytest.param({"quiet": Quiet(22, 8)}, ["03-03 08:00", "03-03 09:15"], id="a longer night: not in it"),
        pytest.param({"quiet": Quiet(22, 10)}, ["03-03 10:00"], id="a night over both: one in the morning"),
        pytest.param({"reminders": False}, [], id="none"),
    ],
)
def test_reminders_follow_the_preferences_of_when_they_are_due(runtime, game_id, wanted, expected):
    set_preferences(runtime, "Bo", **wanted)
    while (at := load(runtime, game_id).row.remind_at) is not None:
        runtime.now.at = at
        due_games.play_due(runtime)
    assert [f"{one.next_at:%m-%d %H:%M}" for one in reminders(runtime)] == expected
    assert all(one.state is LetterState.QUEUED for one in reminders(runtime))


def test_who_has_muted_the_table_is_not_reminded(runtime, game_id):
    table_id = load(runtime, game_id).table.id
    set_mails(runtime, table_id, BO, mails=False)
    while load(runtime, game_id).row.remind_at:
        wait_for_reminder(runtime, game_id)
    assert reminders(runtime) == []
    assert reminders(runtime, "Cy")


def test_reminders_that_the_version_before_has_queued_are_not_doubled(runtime, game_id):
    """The version before queued them with the question, and its clocks keep none."""
    at = runtime.now() + 6 * HOUR
    with runtime.database.writing() as session:
        stored = store.load(session, game_id)
        seat, due = stored.seats[BO], due_of(stored.game, BO)
        letter = in_game.queue_in_game(session, runtime, LetterKind.REMINDER, stored, seat, due, runtime.now())
        letter.state, letter.next_at = LetterState.QUEUED, at
        stored.row.reminders = stored.row.remind_at = None
        stored.row.wake_at = stored.row.due_at
    runtime.now.at = stored.row.due_at - timedelta(minutes=1)
    due_games.play_due(runtime)
    assert len(reminders(runtime)) == 1
    with runtime.database.writing() as session:
        stored = store.load(session, game_id)
        queue_question(session, runtime, stored, session.get_one(SeatRow, (stored.table.id, BO)), runtime.now())
    assert [one.state for one in reminders(runtime)] == [LetterState.SUPERSEDED], "its deadline may have moved"


def test_a_game_awaiting_a_reminder_waits_for_no_robot(runtime, game_id):
    assert load(runtime, game_id).row.remind_at is not None
    for ahead in (timedelta(), timedelta(seconds=30)):
        moment = load(runtime, game_id).row.remind_at - ahead
        assert due_games._games_waiting(runtime, moment) == 0
    assert due_games._games_waiting(runtime, load(runtime, game_id).row.due_at) == 1
