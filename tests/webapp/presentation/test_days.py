"""How long a game takes: the days and the minutes by its rules, and what repeats them."""

import pytest

from hearts.rules import preset_rules
from tests.syntax import ROOT
from webapp.presentation.clock_text import (
    days_of,
    live_length_of,
    why_at_once,
)


@pytest.mark.parametrize(
    ("rules", "at_once", "days"),
    [
        pytest.param({"hands": 4}, 4, "about a week", id="a round"),
        pytest.param({"hands": 3}, 4, "about a week", id="less than a round"),
        pytest.param({"hands": 5}, 4, "some weeks", id="more than a round"),
        pytest.param({"target": 50}, 4, "about two weeks", id="to 50"),
        pytest.param({"target": 100}, 4, "about a month", id="to 100"),
        pytest.param({"hands": 4}, 1, "about a month", id="a round, hand after hand"),
        pytest.param({"target": 50}, 1, "some months", id="to 50, hand after hand"),
    ],
)
def test_the_days_follow_from_length_and_hands_at_once(rules, at_once, days):
    assert days_of(preset_rules("classic", **rules), at_once) == days


@pytest.mark.parametrize(
    ("rules", "length"),
    [
        ({"hands": 4}, "about 20 minutes"),
        ({"target": 50}, "about 30 minutes"),
        ({"target": 100}, "about an hour"),
        ({"hands": 20}, "about 1½ hours"),
        ({"hands": 40}, "about 3 hours"),
    ],
)
def test_a_live_game_takes_minutes_by_its_hands(rules, length):
    assert live_length_of(preset_rules("classic", **rules)) == length


def test_hands_at_once_are_named_with_their_reason():
    assert why_at_once(1) == ""
    assert why_at_once(4) == (
        "We deal four hands at once, so that a round takes a week and not a month. "
        "Each waits for nobody but its own players."
    )


@pytest.mark.parametrize("name", ["pace.md", "players.md"])
def test_the_docs_repeat_the_days_of_a_round(name):
    assert "about a week" in " ".join((ROOT / "docs" / name).read_text(encoding="utf-8").split())
