"""A pen: its dashes, the letters that it can write, and the size of its file."""

from io import BytesIO
from itertools import pairwise
from math import dist

import pytest
from PIL import Image

from webapp.pictures.pen import Pen, blank, dashed, drawable, finished, has_all, png_of


def length(points):
    return sum(dist(one, other) for one, other in pairwise(points))


@pytest.mark.parametrize(
    ("points", "dashes", "drawn"),
    [
        pytest.param([(0, 0), (10, 0)], (3, 2), [3, 3], id="ends in a gap"),
        pytest.param([(0, 0), (12, 0)], (3, 2), [3, 3, 2], id="ends in a dash"),
        pytest.param([(0, 0), (2, 0)], (3, 2), [2], id="shorter than a dash"),
        pytest.param([(0, 0), (2, 0), (2, 6)], (3, 2), [3, 3], id="around a corner"),
        pytest.param([(0, 0), (9, 0)], (1, 2, 3, 1), [1, 3, 1], id="a longer pattern"),
    ],
)
def test_dashes_follow_their_pattern(points, dashes, drawn):
    found = list(dashed(points, dashes))
    assert [length(piece) for piece in found] == pytest.approx(drawn)
    assert found[0][0] == points[0]


def test_a_dash_bends_where_its_line_does():
    first, _ = dashed([(0, 0), (2, 0), (2, 6)], (3, 2))
    assert first == [(0, 0), (2, 0), (2.0, 1.0)]


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        pytest.param("Ann", "Ann", id="plain"),
        pytest.param("Bo 2", "Bo 2", id="a blank and a number"),
        pytest.param("\U00013000", "Side 2", id="a letter that no font has"),
        pytest.param("Ann\U00013000", "Side 2", id="one such letter among others"),
    ],
)
def test_a_name_that_the_font_cannot_write_is_replaced(text, drawn):
    assert drawable(text, "Side 2") == drawn
    assert has_all(drawn)


def test_a_drawn_file_has_its_size_and_its_content():
    picture = blank((30, 20), "#ffffff")
    Pen(picture, 2.0, (20.0, 10.0)).box((0, 0), (5, 5), "#000000")
    with Image.open(BytesIO(png_of(finished(picture)))) as image:
        assert (image.format, image.size) == ("PNG", (30, 20))
        assert image.getpixel((12, 7)) == (0, 0, 0)
        assert image.getpixel((5, 2)) == image.getpixel((20, 15)) == (255, 255, 255)


def test_a_text_is_as_wide_in_units_whatever_the_scale():
    small, large = (Pen(blank((10, 10), "#ffffff"), scale).width("Ann leads", 20) for scale in (2, 8))
    assert small == pytest.approx(large, rel=0.05)
