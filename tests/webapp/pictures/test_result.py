"""The picture of a result: its size, whatever the names and numbers, and how often it is drawn."""

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from tests.samples.cast import CAST, CROWD, NASTY
from tests.samples.finished import stored_game
from tests.samples.games import CLASSIC, ELEVEN, KITTY, OMNIBUS, PARTNERS
from webapp.pictures.pen import Pen, blank
from webapp.pictures.result import HEIGHT, WIDTH, _fitting, headline, result_png, what_happened
from webapp.presentation.result import result_of

LARGEST = 80_000  # chat programs load no picture that takes long
UNWRITABLE = ("\U00013000" * 3, "Łukasz", "W" * 40, "i")
CASES = [
    pytest.param(CLASSIC, CAST, id="four"),
    pytest.param(KITTY, CAST[:3], id="three"),
    pytest.param(ELEVEN, CROWD, id="eleven"),
    pytest.param(PARTNERS, NASTY, id="teams with long names"),
    pytest.param(OMNIBUS, CAST, id="negative totals"),
    pytest.param(CLASSIC, UNWRITABLE, id="names that no font has"),
]


@pytest.mark.parametrize(("rules", "names"), CASES)
def test_the_picture_is_small_and_of_the_usual_size(rules, names):
    content = result_png(result_of(stored_game(rules, names)))
    assert len(content) <= LARGEST
    with Image.open(BytesIO(content)) as image:
        assert (image.format, image.size) == ("PNG", (WIDTH, HEIGHT)) == ("PNG", (1200, 630))
        assert len(image.convert("RGB").getcolors(1000) or []) > 20, "something is drawn"
        margins = image.convert("RGB").crop((0, 230, 36, HEIGHT)), image.convert("RGB").crop((1190, 230, WIDTH, HEIGHT))
        assert all(len(margin.getcolors(1000)) == 1 for margin in margins), "nothing is cut off at an edge"


def test_no_text_of_the_picture_is_drawn_as_boxes():
    shown = result_of(stored_game(CLASSIC, UNWRITABLE))
    assert shown.lines[0].name == UNWRITABLE[0]
    assert headline(shown) == f"Won with {shown.lines[0].total}"
    taker = replace(shown, moments=(f"{UNWRITABLE[0]} shot the moon once.",))
    assert what_happened(taker) == ""
    assert what_happened(replace(shown, moments=("Ann shot the moon once.",))) == "Ann shot the moon once."
    assert what_happened(replace(shown, moments=(), sentence="Ann wins.")) == "Ann wins."


def test_equal_results_share_a_picture_and_other_names_differ():
    names = ("Ann", "Bo", "Cy", "Drawn once")
    before = result_png.cache_info().misses
    first, again = (result_png(result_of(stored_game(CLASSIC, names))) for _ in range(2))
    assert first is again
    assert result_png.cache_info().misses == before + 1
    assert result_png(result_of(stored_game(CLASSIC, (*names[:3], "West")))) != first


@pytest.mark.parametrize("room", [300.0, 40.0, 12.0, 0.0])
def test_a_text_is_cut_to_its_room(room):
    pen = Pen(blank((10, 10), "#ffffff"), 2)
    cut = _fitting(pen, "Wilhelmina-Alexandra", 30, room)
    assert cut.endswith("…")
    assert cut == "…" or pen.width(cut, 30) <= room
    assert _fitting(pen, "Bo", 30, 300) == "Bo"
