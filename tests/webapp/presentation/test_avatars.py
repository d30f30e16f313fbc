"""Avatars are drawn from names: always the same for a name, and told apart at a table."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.samples.cast import CROWD
from tests.syntax import ROOT
from webapp.presentation.faces import ROBOT, SHAPES, TINTS, avatars

NAMES = st.lists(st.text(min_size=1, max_size=40), min_size=3, max_size=11)


@given(NAMES)
def test_up_to_eight_players_of_a_table_have_different_colors(names):
    tints = [drawn.tint for drawn in avatars(names)]
    assert len(set(tints)) == min(len(names), TINTS)
    assert set(tints) <= set(range(1, TINTS + 1))


@given(NAMES)
def test_a_table_always_looks_alike_whatever_a_names_capitals(names):
    assert avatars(names) == avatars(names)
    first, shouted = avatars(["Bo"]), avatars(["BO"])
    assert first == shouted


def test_robots_have_a_shape_that_nobody_else_has():
    shapes = [drawn.shape for drawn in avatars(CROWD, robots={0, 2})]
    assert [number for number, shape in enumerate(shapes) if shape == ROBOT] == [0, 2]
    assert set(shapes) - {ROBOT} <= set(SHAPES)


@pytest.mark.parametrize(("name", "letter"), [("bo", "B"), ("émile", "É"), ("ßa", "S"), ("7of9", "7")])
def test_the_letter_is_the_first_of_the_name(name, letter):
    assert avatars([name])[0].letter == letter


def test_the_style_sheet_has_every_color_and_shape():
    style = (ROOT / "webapp/static/style.css").read_text()
    assert set(re.findall(r"\.(tint-\d+) {", style)) == {f"tint-{tint}" for tint in range(1, TINTS + 1)}
    assert all(f".{shape} {{" in style for shape in (*SHAPES, ROBOT) if shape != "disc")
