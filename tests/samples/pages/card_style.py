"""The choice of a card style, and a turn in each style but the usual."""

from tests.samples.pages.turns import TURN, following_turn
from tests.samples.rendering import Sample
from tests.samples.sheets import sheets
from webapp.players.card_style import CardStyle, CardStyleChoice


def pages() -> dict[str, Sample]:
    two, large = CardStyle(two_colours=True), CardStyle(large_index=True)
    both = CardStyle(two_colours=True, large_index=True)
    choosing = {
        "card_style": both,
        "choice": CardStyleChoice("/play/x/cards", both),
        "play_link": "/play/x",
        "error": None,
    }
    return {
        "card-style": ("card_style", choosing),
        "card-style-wrong": ("card_style", {**choosing, "error": "Choose one of these four looks."}),
        "turn-two-colours": ("turn", {**following_turn(), "card_style": two}),
        "turn-large": ("turn", {**TURN, "sheet": sheets()["first"], "card_style": large}),
    }
