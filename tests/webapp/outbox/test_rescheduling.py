"""New preferences change when waiting letters go."""

from tests.cast import start_game
from tests.mailing import BUNDLED, DAILY, letters_to, set_preferences
from tests.reminding import wait_for_reminder
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


def test_a_due_reminder_stays_due_under_new_preferences(runtime):
    game_id = start_game(runtime)
    wait_for_reminder(runtime, game_id, BO)
    set_preferences(runtime, "Bo")
    (reminder,) = letters_to(runtime, "Bo", LetterKind.REMINDER)
    assert (reminder.state, reminder.next_at) == (QUEUED, runtime.now())
