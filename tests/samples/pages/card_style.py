"""The choice of a card style, and a turn in each style but the usual."""

from tests.samples.pages.turns import TURN, following_turn
from tests.samples.rendering import Sample
from tests.samples.sheets import sheets
from webapp.players.card_style import CardStyle, CardStyleChoice


def pages() -> dict[str, Sample]:
    two, large = CardStyle(two_colours=True), CardStyle(large_index=True)
    both = CardStyle(two_colours=True, large_index=True)
    choosing = {"look": both, "choice": CardStyleChoice("/play/x/cards", both), "play_link": "/play/x", "error": None}
    return {
        "look": ("look", choosing),
        "look-wrong": ("look", {**choosing, "error": "Choose one of these four looks."}),
        "turn-two-colours": ("turn", {**following_turn(), "look": two}),
        "turn-large": ("turn", {**TURN, "sheet": sheets()["first"], "look": large}),
    }
