"""New preferences change when waiting letters go."""

import pytest

from tests.cast import start_game
from tests.mailing import BUNDLED, DAILY, letters_to, set_preferences
from tests.reminding import wait_for_reminder
from webapp.games.clock.hours import Quiet
from webapp.models import LetterKind, LetterState

BO = 1
QUEUED, HELD = LetterState.QUEUED, LetterState.HELD


def test_new_preferences_apply_to_mails_that_already_wait(runtime):
    start_game(runtime)
    set_preferences(runtime, "Bo", frequency=DAILY, reminders=False)
    assert [letter.state for letter in letters_to(runtime, "Bo", LetterKind.PASS)] == [HELD]
    set_preferences(runtime, "Bo", frequency=BUNDLED)
    states = [letter.state for letter in letters_to(runtime, "Bo", LetterKind.DIGEST)]
    assert states == [LetterState.SUPERSEDED, QUEUED]
    set_preferences(runtime, "Bo")
    (question,) = letters_to(runtime, "Bo", LetterKind.PASS)
    assert (question.state, question.next_at) == (QUEUED, runtime.now())
    assert {letter.state for letter in letters_to(runtime, "Bo", LetterKind.DIGEST)} == {LetterState.SUPERSEDED}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        pytest.param({"reminders": False}, (LetterState.SUPERSEDED, None), id="no reminders"),
        pytest.param({"quiet": Quiet(0, 8)}, (QUEUED, "03-03 08:00"), id="a longer night: not in it"),
        pytest.param({}, (QUEUED, "03-03 07:00"), id="nothing new: as it was"),
    ],
)
def test_a_reminder_that_waits_follows_new_preferences(runtime, wanted, expected):
    game_id = start_game(runtime)
    wait_for_reminder(runtime, game_id, BO)
    set_preferences(runtime, "Bo", **wanted)
    (reminder,) = letters_to(runtime, "Bo", LetterKind.REMINDER)
    assert (reminder.state, reminder.next_at and f"{reminder.next_at:%m-%d %H:%M}") == expected
