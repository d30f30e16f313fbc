"""The chart of the scores as a picture: its size, and the names in it."""

from io import BytesIO

import pytest
from PIL import Image, ImageColor

from hearts.rules import preset_rules
from tests.samples.cast import CROWD, NASTY
from tests.samples.finished import first_score, score_with_stories
from tests.samples.games import finished_game
from webapp.core.say import speaking
from webapp.pictures.pen import font_of
from webapp.pictures.race import INK, SHOWN_HEIGHT, SHOWN_WIDTH, label_of, png
from webapp.presentation.chart import LABEL_WIDTH, TEXT, race
from webapp.presentation.scoresheet import ScoreSheet, score_sheet

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
