"""New preferences change when waiting letters go."""

import pytest

from tests.cast import start_game
from tests.mailing import BUNDLED, DAILY, letters_to, set_preferences
from webapp.games.clock import Quiet
from webapp.models import LetterKind, LetterState

QUEUED, HELD = LetterState.QUEUED, LetterState.HELD


def test_new_preferences_apply_to_mails_that_already_wait(runtime):
    start_game(runtime)
    set_preferences(runtime, "Bo", frequency=DAILY, reminders=False)
    assert [letter.state for letter in letters_to(runtime, "Bo", LetterKind.PASS)] == [HELD]
    assert {letter.state for letter in letters_to(runtime, "Bo", LetterKind.REMINDER)} == {LetterState.SUPERSEDED}
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
        pytest.param({"frequency": DAILY}, ["03-03 09:15"], id="fewer mails: the last one is enough"),
        pytest.param({"quiet": Quiet(22, 8)}, ["03-03 08:00", "03-03 09:15"], id="a longer night: not in it"),
        pytest.param({}, ["03-03 07:00", "03-03 09:15"], id="nothing new: as they were"),
    ],
)
def test_waiting_reminders_follow_new_preferences(runtime, wanted, expected):
    start_game(runtime)
    set_preferences(runtime, "Bo", **wanted)
    waiting = [letter for letter in letters_to(runtime, "Bo", LetterKind.REMINDER) if letter.state is QUEUED]
    assert sorted(f"{letter.next_at:%m-%d %H:%M}" for letter in waiting) == expected
