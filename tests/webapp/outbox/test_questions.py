"""Questions and their reminders: queued with the turn, superseded by the answer, and mailed again on request."""

from datetime import UTC, datetime, timedelta

import pytest

from hearts.seats import Seat
from tests.cast import PACE, start_game, turn_link
from tests.mailing import BUNDLED, DAILY, letters_to, set_preferences
from tests.playing import pass_lowest
from tests.reminding import reminder_times
from tests.sites import site_of
from webapp.models import LetterKind, LetterRow, LetterState
from webapp.outbox.questions import AGAIN_AFTER

BO = 1
QUEUED = LetterState.QUEUED


def test_an_answer_supersedes_the_mails_that_still_ask(runtime):
    game_id = start_game(runtime)
    set_preferences(runtime, "Bo", frequency=DAILY)
    pass_lowest(runtime, game_id, 0)
    pass_lowest(runtime, game_id, 1)
    for name in ("Ann", "Bo"):
        asking = letters_to(runtime, name, LetterKind.PASS, LetterKind.REMINDER)
        assert {letter.state for letter in asking} == {LetterState.SUPERSEDED}
    assert {letter.state for letter in letters_to(runtime, "Cy", LetterKind.PASS, LetterKind.REMINDER)} == {QUEUED}


def test_a_question_says_when_its_player_is_reminded(runtime):
    game_id, due_at = start_game(runtime), runtime.now() + PACE
    assert reminder_times(runtime, game_id, BO) == [datetime(2026, 3, 3, 7, tzinfo=UTC), due_at - timedelta(hours=3)]
    assert letters_to(runtime, "Bo", LetterKind.REMINDER) == []


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        pytest.param({}, 2, id="half time, and before the end"),
        pytest.param({"reminders": False}, 0, id="no reminders"),
        pytest.param({"frequency": DAILY}, 1, id="daily: the last one breaks through"),
        pytest.param({"frequency": BUNDLED}, 1, id="together: the same"),
    ],
)
def test_each_player_is_reminded_as_often_as_they_chose(runtime, wanted, count):
    start_game(runtime)
    set_preferences(runtime, "Bo", **wanted)
    game_id = start_game(runtime)
    assert len(reminder_times(runtime, game_id, BO)) == count


def test_a_turn_is_mailed_again_every_ten_minutes_at_most(runtime):
    game_id = start_game(runtime)
    site = site_of(runtime).test_client()
    again = f"{runtime.signer.local_url(turn_link(runtime, game_id, 0))}/again"
    assert site.post(again).status_code == 303
    first, second = letters_to(runtime, "Ann", LetterKind.PASS)
    assert (first.state, second.state, second.next_at) == (LetterState.SUPERSEDED, QUEUED, runtime.now())
    assert (second.message_id != first.message_id, second.thread_id) == (True, first.message_id)
    with runtime.database.writing() as session:
        sent = session.get_one(LetterRow, second.id)
        sent.state, sent.sent_at = LetterState.SENT, runtime.now()
    refused = site.post(again)
    assert (refused.status_code, "just written to you" in refused.text) == (429, True)
    assert refused.headers["Retry-After"] == "600"
    runtime.now.pass_by(AGAIN_AFTER)
    assert site.post(again).status_code == 303
    assert len({letter.message_id for letter in letters_to(runtime, "Ann", LetterKind.PASS)}) == 3
    pass_lowest(runtime, game_id, Seat(0))
    assert site.post(again).status_code == 409, "that turn is over"
