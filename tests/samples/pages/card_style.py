"""The choice of a card style, and a turn in each style but the usual."""

from dataclasses import replace

from tests.samples.pages.turns import turn
from tests.samples.rendering import PageSample, framed
from tests.samples.sheets import sheets
from webapp.pages.preferences import CardStylePage
from webapp.players.preferences import CardStyle, CardStyleChoice


def pages() -> dict[str, PageSample]:
    two, large = CardStyle(two_colours=True), CardStyle(large_index=True)
    both = CardStyle(two_colours=True, large_index=True)
    choosing = CardStylePage(choice=CardStyleChoice("/play/x/cards", both), play_link="/play/x")
    wrong = replace(choosing, error="Choose one of these four looks.")
    return {
        "card-style": framed(choosing, card_style=both),
        "card-style-wrong": framed(wrong, card_style=both),
        "turn-two-colours": framed(turn(), card_style=two),
        "turn-large": framed(turn(sheets()["first"]), card_style=large),
    }
