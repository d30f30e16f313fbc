"""A pause in words: who asks for one, or for its end, and what the button does."""

from datetime import UTC, datetime, timedelta

import pytest

from webapp.models import Pause, Stands
from webapp.presentation.pause_text import GO_ON, PauseLine, pause_line, pause_note


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
        pytest.param([], False, True, "", "Let the game go on", id="paused"),
        pytest.param(["Bo"], False, True, "Bo wants the game to go on.", "Let the game go on", id="another goes on"),
        pytest.param(
            ["Bo", "Cy"],
            True,
            True,
            "Bo and Cy want the game to go on. You want the game to go on. It does once more than half of the"
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


NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)
UNTIL = NOW + timedelta(days=60)


@pytest.mark.parametrize(
    ("pause", "begins", "ends"),
    [
        pytest.param(None, "", "", id="none"),
        pytest.param(Pause(Stands.HOST, NOW), "", "", id="the host's"),
        pytest.param(
            Pause(Stands.PLAYERS, NOW, UNTIL), "Players asked", "else it does so on Sat 2 May, 12:00 (UTC).", id="voted"
        ),
        pytest.param(
            Pause(Stands.REST, NOW, UNTIL), "Nobody is playing", "it is over on Sat 2 May, 12:00 (UTC).", id="a rest"
        ),
    ],
)
def test_a_pause_says_until_when_anybody_may_end_it(pause, begins, ends):
    note = pause_note(pause, NOW, "UTC")
    assert (note.startswith(begins), note.endswith(ends), bool(note)) == (True, True, bool(begins))
    if note:
        line = pause_line(["Bo"], is_asking=False, is_paused=True, anybodys=note)
        assert line == PauseLine(note, GO_ON, wanted=True)
