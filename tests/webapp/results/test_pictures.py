"""The pictures of a result and of the race: their sizes, whatever the names, and how often they are drawn."""

from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from math import dist

import pytest
from PIL import Image, ImageColor

from hearts.rules import preset_rules
from tests.samples.cast import CAST, CROWD, NASTY
from tests.samples.finished import first_score, score_with_stories, stored_game
from tests.samples.games import CLASSIC, ELEVEN, KITTY, OMNIBUS, PARTNERS, finished_game
from webapp.core.say import speaking
from webapp.presentation.chart import LABEL_WIDTH, TEXT, race
from webapp.presentation.scoresheet import ScoreSheet, score_sheet
from webapp.results.pictures import (
    HEIGHT,
    INK,
    SHOWN_HEIGHT,
    SHOWN_WIDTH,
    WIDTH,
    Pen,
    _fitting,
    blank,
    dashed,
    drawable,
    finished,
    font_of,
    has_all,
    headline,
    label_of,
    png,
    png_of,
    result_png,
    what_happened,
)
from webapp.results.result import result_of

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


LARGEST_PICTURE = 30_000


def drawn(score: ScoreSheet) -> bytes:
    chart = race(score)
    assert chart is not None
    return png(chart)


def twenty_hands_of_eleven() -> ScoreSheet:
    rules = preset_rules("cancellation", players=11, target=300)
    return score_sheet(rules, CROWD, finished_game(rules).scores[:20])


@pytest.mark.parametrize(
    "score",
    [
        pytest.param(first_score(), id="one hand"),
        pytest.param(score_with_stories(preset_rules("classic"), NASTY), id="long names"),
        pytest.param(twenty_hands_of_eleven(), id="eleven, twenty hands"),
    ],
)
def test_the_picture_is_small_and_has_twice_the_resolution_shown(score: ScoreSheet) -> None:
    content = drawn(score)
    assert len(content) <= LARGEST_PICTURE
    with Image.open(BytesIO(content)) as image:
        assert (image.format, image.size) == ("PNG", (2 * SHOWN_WIDTH, 2 * SHOWN_HEIGHT))
        assert len(image.convert("RGB").getcolors(1000) or []) > 5, "something is drawn"
        assert image.convert("RGB").getpixel((3, 3)) == (47, 109, 82), "on felt of its own"


def test_a_name_outside_the_font_is_not_drawn_as_boxes() -> None:
    rules, names = preset_rules("classic"), ("Ann", "Łukasz", "\U00013000" * 3, "Di")
    chart = race(score_sheet(rules, names, finished_game(rules).scores[:2]))
    assert chart is not None
    labels = [label_of(line).rpartition(" ")[0] for line in sorted(chart.lines, key=lambda line: line.number)]
    assert labels[0] == "Ann"
    assert labels[1] in ("Łukasz", "Lukasz")
    assert labels[2] == "Side 3"


def test_a_label_fits_its_room_in_the_pictures_font() -> None:
    """The geometry only guesses how wide letters are."""
    chart = race(score_with_stories(preset_rules("classic"), NASTY))
    assert chart is not None
    for line in chart.lines:
        width = font_of(100).getlength(label_of(line)) * TEXT / 100
        assert width <= LABEL_WIDTH + 4


def test_a_race_is_read_from_the_right_in_arabic() -> None:
    """The leader's label, the largest spot of an ink, stands at the end of the line."""

    def spot(language: str) -> float:
        with speaking(language):
            picture = Image.open(BytesIO(drawn(first_score()))).convert("RGB")
        inks, pixels = {bytes(ImageColor.getrgb(ink)) for ink in INK}, picture.tobytes()
        places = [at % picture.width for at in range(len(pixels) // 3) if pixels[3 * at : 3 * at + 3] in inks]
        return sum(places) / len(places) / picture.width

    assert spot("en") > 0.55
    assert spot("ar") < 0.45
