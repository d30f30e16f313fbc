"""A pause in words: who asks for one, or for its end, and what the button does."""

from datetime import UTC, datetime, timedelta

import pytest

from webapp.models import TableRow
from webapp.presentation.pause_text import GO_ON, PauseLine, pause_line, rest_note


@pytest.mark.parametrize(
    ("others", "is_asking", "is_paused", "note", "button"),
    [
        pytest.param([], False, False, "", "Ask for a pause", id="nobody asks"),
        pytest.param(["Bo"], False, False, "Bo asks for a pause.", "Ask for a pause", id="another asks"),
        pytest.param(["Bo", "Cy"], False, False, "Bo and Cy ask for a pause.", "Ask for a pause", id="two others ask"),
        pytest.param(
            [],
            True,
            False,
            "You ask for a pause. It begins once more than half of the players want one.",
            "No pause after all",
            id="the reader asks",
        ),
        pytest.param([], False, True, "", "Let the clock go on", id="paused"),
        pytest.param(["Bo"], False, True, "Bo wants the clock to go on.", "Let the clock go on", id="another goes on"),
        pytest.param(
            ["Bo", "Cy"],
            True,
            True,
            "Bo and Cy want the clock to go on. You want the clock to go on. It does once more than half of the"
            " players want it.",
            "Leave it paused",
            id="all but one go on",
        ),
    ],
)
def test_the_line_says_who_asks_and_what_the_button_changes(others, is_asking, is_paused, note, button):
    line = pause_line(others, is_asking=is_asking, is_paused=is_paused)
    assert (line.note, line.button, line.wanted) == (note, button, not is_asking)
    assert line.is_idle is (not note and not is_paused)


def test_a_resting_game_says_until_when_anybody_can_resume_it():
    now = datetime(2026, 3, 3, 12, tzinfo=UTC)
    table = TableRow(pause_ends_at=now + timedelta(days=60))
    note = rest_note(table, now, "UTC")
    assert note.startswith("Nobody is playing, so the game rests")
    assert note.endswith("Otherwise it is over on Sat 2 May, 12:00 (UTC).")
    assert pause_line(["Bo"], is_asking=False, is_paused=True, rest=note) == PauseLine(note, GO_ON, wanted=True)
