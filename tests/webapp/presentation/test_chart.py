"""The chart of the scores: its layout, for one hand or forty, two sides or eleven."""

import re
from itertools import pairwise
from math import isclose

import pytest
from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts.rules import preset_rules
from hearts.score import HandScore, lowest_sides
from hearts.seats import Seat
from tests.samples.cast import CAST, CROWD, NASTY
from tests.samples.finished import score_with_stories
from tests.samples.rendering import environment
from webapp.presentation.chart import (
    BOTTOM,
    HEIGHT,
    LABEL_AT,
    LABEL_GAP,
    LABEL_WIDTH,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Chart,
    race,
    text_width,
)
from webapp.presentation.scoresheet import ScoreSheet, score_sheet

CLASSIC = preset_rules("classic")


few = settings(max_examples=40)


def hand(number: int, totals: tuple[int, ...]) -> HandScore:
    blank = (0,) * len(totals)
    return HandScore(number, Seat(0), blank, blank, blank, blank, None, None, False, blank, (), totals)


def sheet(*totals: tuple[int, ...], names: tuple[str, ...] = CAST, over: bool = False, **options: object) -> ScoreSheet:
    rules = preset_rules("classic" if len(names) < 8 else "cancellation", players=len(names), **options)
    scores = [hand(number, row) for number, row in enumerate(totals, 1)]
    return score_sheet(rules, names, scores, lowest_sides(totals[-1]) if over else ())


def chart(*totals: tuple[int, ...], names: tuple[str, ...] = CAST, over: bool = False) -> Chart:
    drawn = race(sheet(*totals, names=names, over=over))
    assert drawn is not None
    return drawn


@st.composite
def races(draw: st.DrawFn) -> Chart:
    """From three to eleven sides, one hand to forty, totals that may be negative, names that may be long."""
    players = draw(st.integers(3, 11))
    totals = st.tuples(*[st.integers(-300, 600)] * players)
    names = draw(st.lists(st.text(min_size=1, max_size=40), min_size=players, max_size=players, unique=True))
    return chart(*draw(st.lists(totals, min_size=1, max_size=40)), names=tuple(names))


@few
@given(races())
def test_everything_lies_within_the_chart(drawn: Chart) -> None:
    for line in drawn.lines:
        assert all(LEFT <= x <= RIGHT and TOP - 0.1 <= y <= BOTTOM + 0.1 for x, y in line.points)
        assert 8 <= line.label_y <= HEIGHT - 8
        assert LABEL_AT + text_width(line.label) <= WIDTH
    assert all(TOP - 0.1 <= tick.at <= BOTTOM + 0.1 for tick in drawn.totals)
    assert all(LEFT < tick.at <= RIGHT for tick in drawn.hands)


@few
@given(races())
def test_no_two_labels_overlap(drawn: Chart) -> None:
    places = sorted(line.label_y for line in drawn.lines)
    assert all(below - above >= LABEL_GAP - 0.2 for above, below in pairwise(places))


@few
@given(races())
def test_labels_are_in_the_order_of_the_totals(drawn: Chart) -> None:
    by_place = sorted(drawn.lines, key=lambda line: line.label_y)
    assert [line.total for line in by_place] == sorted((line.total for line in drawn.lines), reverse=True)


@few
@given(races())
def test_there_are_few_ticks_and_at_least_one(drawn: Chart) -> None:
    assert 1 <= len(drawn.totals) <= 7
    assert 1 <= len(drawn.hands) <= 12


def test_no_two_of_eleven_lines_look_alike_without_colour() -> None:
    drawn = chart((0,) * 11, names=CROWD)
    looks = {
        (len(line.markers[0]), line.markers[0][0][0] - line.end[0], line.hollow, line.dashes) for line in drawn.lines
    }
    assert len(looks) == 11


def test_two_lines_of_one_colour_differ_in_markers_and_dashes() -> None:
    lines = sorted(chart((0,) * 11, names=CROWD).lines, key=lambda line: line.number)
    for one, other in zip(lines, lines[6:], strict=False):
        assert one.colour == other.colour
        assert one.hollow is not other.hollow
        assert one.dashes != other.dashes
    assert len({line.colour for line in lines[:6]}) == 6


def test_the_height_of_a_point_is_proportional_to_its_total() -> None:
    drawn = chart((0, 10, 20, 30), (5, 20, 40, 60))
    ways = {line.number: line.points for line in drawn.lines}
    assert ways[1][0] == (LEFT, drawn.zero)
    assert [x for x, _ in ways[1]] == [LEFT, (LEFT + RIGHT) / 2, RIGHT]
    heights = [drawn.zero - ways[side][-1][1] for side in (1, 2, 3, 4)]
    assert all(
        isclose(height / heights[0], total / 5, rel_tol=0.05)
        for height, total in zip(heights, (5, 20, 40, 60), strict=True)
    )


def test_the_target_is_shown_once_it_is_within_range() -> None:
    assert chart((26, 0, 0, 0)).target is None
    near = chart((26, 0, 0, 0), (52, 0, 0, 0))
    assert near.target is not None
    assert (near.target.text, near.target.at) == ("100", TOP)


def test_a_target_that_no_total_can_reach_is_not_drawn() -> None:
    drawn = race(sheet((26, 0, 0, 0), (52, 0, 0, 0), (78, 0, 0, 0), hands=4))
    assert drawn is not None
    assert drawn.target is None
    assert drawn.alt.endswith("The game ends after four hands.")


def test_negative_totals_are_drawn_below_zero() -> None:
    drawn = chart((-10, 5, 0, 20))
    lowest = next(line for line in drawn.lines if line.total == -10)
    assert lowest.end[1] > drawn.zero
    assert isclose(lowest.end[1], BOTTOM)


def test_the_leaders_are_marked_and_drawn_last() -> None:
    drawn = chart((4, 4, 10, 8))
    assert [line.leads for line in drawn.lines] == [False, False, True, True]
    assert {line.total for line in drawn.lines if line.leads} == {4}


def test_of_forty_hands_only_some_and_the_last_have_markers() -> None:
    drawn = chart(*[(hand, 0, 0, 0) for hand in range(1, 41)])
    line = next(line for line in drawn.lines if line.number == 1)
    assert 5 <= len(line.markers) <= 14
    x, y = line.end
    assert all(abs(corner[0] - x) < 5 and abs(corner[1] - y) < 5 for corner in line.markers[-1])


@pytest.mark.parametrize(
    ("drawn", "words"),
    [
        pytest.param(
            chart((4, 31, 9, 22)),
            "The race after 1 hand: Ann 4, Cy 9, Di 22 and Bo 31. The game ends at 100.",
            id="running",
        ),
        pytest.param(
            chart((4, 4, 9, 22)),
            "The race after 1 hand: Ann 4, Bo 4, Cy 9 and Di 22. The game ends at 100.",
            id="two lead",
        ),
        pytest.param(
            chart((4, 101, 9, 22), over=True),
            "The race after 1 hand: Ann 4, Cy 9, Di 22 and Bo 101. The game is over.",
            id="over",
        ),
        pytest.param(
            chart((4, 4, 4, 4)),
            "The race after 1 hand: Ann 4, Bo 4, Cy 4 and Di 4. The game ends at 100.",
            id="all",
        ),
    ],
)
def test_the_alternative_text_gives_the_standings(drawn: Chart, words: str) -> None:
    assert drawn.alt == words


def test_teams_are_named_as_teams() -> None:
    drawn = race(score_with_stories(preset_rules("partners"), CAST))
    assert drawn is not None
    assert {line.label.rpartition(" ")[0] for line in drawn.lines} == {"Ann+Cy", "Bo and Di"}


def test_a_long_name_is_shortened_and_its_total_is_not() -> None:
    drawn = chart((4, 31, 109, 22), names=NASTY)
    label = next(line.label for line in drawn.lines if line.number == 3)
    assert re.fullmatch(r"Wil\w*… 109", label)
    assert text_width(label) <= LABEL_WIDTH


def test_there_is_no_chart_before_the_first_hand() -> None:
    assert race(score_sheet(CLASSIC, CAST, ())) is None


def svg(drawn: Chart) -> BeautifulSoup:
    template = '{% import "pages/chart.html" as drawing %}{{ drawing.race(chart) }}'
    made = environment(trim=False).overlay(autoescape=True)
    return BeautifulSoup(made.from_string(template).render(chart=drawn), "xml")


@pytest.mark.parametrize("names", [CAST, NASTY])
def test_the_svg_draws_the_same_chart(names: tuple[str, ...]) -> None:
    drawn = chart((4, 31, 60, 22), (8, 31, 90, 23), names=names)
    picture = svg(drawn).svg
    assert picture["viewBox"] == f"0 0 {WIDTH} {HEIGHT}"
    assert (picture["role"], picture["aria-label"]) == ("img", drawn.alt)
    sides = picture.find_all("g")
    for side, line in zip(sides, drawn.lines, strict=True):
        assert side.polyline["points"] == " ".join(f"{x},{y}" for x, y in line.points)
        assert side.polyline.get("stroke-dasharray", "") == " ".join(map(str, line.dashes))
        assert len(side.find_all("polygon")) == len(line.markers)
        assert side.find("text").text == line.label
        assert ("race-leads" in side["class"]) is line.leads
    assert not [tag for tag in picture.find_all(True) if tag.has_attr("style")]
