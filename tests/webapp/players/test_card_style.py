"""Card styles: either deck is readable, and each style is chosen by its name."""

import re

import pytest

from tests.syntax import ROOT
from webapp.core.tokens import LinkInvalid
from webapp.players.card_style import CARD_STYLES, USUAL, CardStyle, card_style_of, change_card_style, read_card_style

STYLE = (ROOT / "webapp" / "static" / "style.css").read_text()
LEAST_CONTRAST = 4.5


# colours


def tokens(*, dark):
    """The tokens of the style sheet, by name; of those that differ in the dark one of both."""
    read = STYLE.split("/* the page */")[0]
    found = re.findall(r"--([\w-]+): (?:light-dark\()?(#\w{6})(?:, (#\w{6})\))?;", read)
    return {name: (at_night if dark and at_night else by_day) for name, by_day, at_night in found}


def colour_of(suit, look, found):
    """The colour of a suit: with two colours, those of spades and hearts."""
    if look.two_colours:
        pairs = dict(re.findall(r"--(\w+): var\(--(\w+)\)", re.search(r"\.two-colours \{.*\}", STYLE)[0]))
        suit = pairs.get(suit, suit)
    return found[suit]


def light_of(colour):
    """Relative luminance (WCAG 2.2)."""
    runtime = [value / 255 for value in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in runtime]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(*colours):
    dark, bright = sorted(light_of([int(code[at : at + 2], 16) for at in (1, 3, 5)]) for code in colours)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("look", [CardStyle(two_colours=False), CardStyle(two_colours=True)], ids=["four", "two"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("suit", ["clubs", "diamonds", "spades", "hearts"])
def test_every_suit_of_both_decks_is_readable_day_and_night(look, dark, suit):
    found = tokens(dark=dark)
    assert contrast(colour_of(suit, look, found), found["card"]) >= LEAST_CONTRAST
    assert contrast(colour_of(suit, look, found), found["card-dead"]) >= LEAST_CONTRAST


def test_contrast_is_measured_as_the_guidelines_require():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


# choosing


@pytest.mark.parametrize("style", CARD_STYLES, ids=[style.name for style in CARD_STYLES])
def test_a_form_asks_for_a_style_by_its_name(style):
    assert read_card_style({"look": style.name}) == style


@pytest.mark.parametrize("of", ["name", "label", "classes"])
def test_no_two_styles_are_called_or_look_the_same(of):
    assert len({getattr(style, of) for style in CARD_STYLES}) == len(CARD_STYLES) == 4


@pytest.mark.parametrize("nobody", [None, 99])
def test_cards_look_as_usual_for_somebody_who_is_no_player(runtime, nobody):
    with runtime.database.reading() as session:
        assert card_style_of(session, nobody) == USUAL


def test_nobody_chooses_a_style_for_a_missing_player(runtime):
    with pytest.raises(LinkInvalid):
        change_card_style(runtime, 99, CardStyle(two_colours=True), runtime.now())
