"""How a hand ended: who took what, the points, and when they count."""

from dataclasses import replace

import pytest

from hearts.rules import preset_rules
from tests.samples.cast import CAST
from tests.samples.finished import hand_end
from tests.samples.games import CLASSIC, OMNIBUS, PARTNERS
from tests.webapp.presentation.scored import NO_QUEEN, line
from webapp.presentation.happened import end_lines, moon_text

SCORE = line(taken=(0, 17, 1, 8), queens=(0, 1, 0, 0), points=(0, 17, 1, 8), totals=(30, 17, 9, 22))


def plain(text):
    return text.replace("\ufe0e", "")


def test_the_lines_name_who_took_what_the_fewest_points_first():
    lines = end_lines(CLASSIC, CAST, SCORE, is_counted=True)
    assert [(one.name, plain(one.took), one.points, one.total) for one in lines] == [
        ("Ann", "", "0", 30),
        ("Cy", "1 heart", "+1", 9),
        ("Di", "8 hearts", "+8", 22),
        ("Bo", "Q♠ and 4 hearts", "+17", 17),
    ]


def test_a_hand_that_does_not_count_yet_has_no_totals():
    assert {one.total for one in end_lines(CLASSIC, CAST, SCORE, is_counted=False)} == {None}


@pytest.mark.parametrize(
    ("rules", "more", "took"),
    [
        pytest.param(NO_QUEEN, {"taken": (0, 4, 0, 0)}, "4 hearts", id="a queen without points"),
        pytest.param(OMNIBUS, {"jacks": (0, 1, 0, 0)}, "Q♠, J♦ and 4 hearts", id="the jack of diamonds"),
        pytest.param(preset_rules("classic"), {"jacks": (0, 1, 0, 0)}, "Q♠ and 4 hearts", id="a jack without points"),
    ],
)
def test_only_cards_that_count_are_named(rules, more, took):
    lines = end_lines(rules, CAST, replace(SCORE, **more), is_counted=True)
    assert plain(next(one.took for one in lines if one.name == "Bo")) == took


def test_partners_share_a_line():
    score = replace(SCORE, points=(1, 25), totals=(39, 39))
    lines = end_lines(PARTNERS, CAST, score, is_counted=True)
    assert [(one.name, plain(one.took)) for one in lines] == [
        ("Ann and Cy", "1 heart"),
        ("Bo and Di", "Q♠ and 12 hearts"),
    ]


@pytest.mark.parametrize(
    ("running", "note"),
    [
        ((), ""),
        ((1,), "These points count once hand 1 is over."),
        ((1, 2), "These points count once hands 1 and 2 are over."),
    ],
)
def test_a_note_says_when_the_points_count(running, note):
    assert replace(hand_end(CLASSIC, CAST), running=running).note == note


def test_the_end_shows_the_last_trick_and_everybodys_points():
    end = hand_end(CLASSIC, CAST)
    assert (end.number, end.trick.number) == (3, 13)
    assert end.sentence.startswith("Hand 3 is over: ")
    assert all(f"{one.name} {one.points}" in end.sentence for one in end.lines)


@pytest.mark.parametrize(
    ("rules", "more", "text"),
    [
        pytest.param(CLASSIC, {}, "", id="nobody"),
        pytest.param(CLASSIC, {"moon": 1}, "Bo shot the moon", id="a moon"),
        pytest.param(CLASSIC, {"moon": 1, "sun": True}, "Bo shot the sun", id="a sun"),
        pytest.param(PARTNERS, {"moon": 1}, "Bo and Di shot the moon", id="partners"),
    ],
)
def test_a_moon_names_who_shot_it(rules, more, text):
    assert moon_text(rules, CAST, replace(SCORE, **more)) == text
