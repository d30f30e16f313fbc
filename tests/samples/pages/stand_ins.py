"""A friend who plays for a player who is away, from the invitation until the seat returns."""

from dataclasses import replace

from tests.samples.cast import CAST, NASTY
from tests.samples.games import CLASSIC
from tests.samples.links import TABLE_LINK
from tests.samples.pages.invitations import ASKING
from tests.samples.pages.table import playing
from tests.samples.pages.turns import PLAYED
from tests.samples.rendering import Sample
from tests.samples.tables import summary
from webapp.presentation.present import SeatLine

LENT = replace(summary(CLASSIC), seats=(*summary(CLASSIC).seats[:3], SeatLine("Eve for Di", "accepted", owner="Di")))


ASKED = "A robot plays for you until Eve says yes: you have asked them to play for you."


def pages() -> dict[str, Sample]:
    return {**_invitations(), **_lent(), **_returned()}


def _invitations() -> dict[str, Sample]:
    asked = {**ASKING, "table": LENT, "your_name": "Eve", "stand_in_for": "Di", "is_played": True}
    accepted = {"answer": "accept", "table_link": TABLE_LINK, "play_link": "/play/x", "plays_for": "Di"}
    return {
        "invitation-stand-in": ("invitation", asked),
        "invitation-stand-in-nasty": ("invitation", {**asked, "stand_in_for": NASTY[0], "your_name": NASTY[1]}),
        "invitation-stand-in-accepted": ("invitation_answered", {**accepted, "table": LENT}),
        "invitation-stand-in-declined": ("invitation_answered", {"answer": "decline", "table": LENT, "asker": "Di"}),
    }


def _lent() -> dict[str, Sample]:
    table = {**playing(CLASSIC, (*CAST[:3], "Eve for Di")), "table": LENT}
    back = {"stand_in": "Eve", "table_name": "Ann's table", "back_action": "/seat/x/back"}
    return {
        "table-stand-in": ("table", {**table, "plays_for": "Di", "give_back_action": "/seat/x/give-back"}),
        "table-stand-in-asked": ("table", {**table, "back_action": "/seat/x/back", "absence": ASKED}),
        "stand-in": ("stand_in", back),
        "stand-in-nasty": ("stand_in", {**back, "stand_in": NASTY[0]}),
    }


def _returned() -> dict[str, Sample]:
    sentences = ["The game is over, and the seat is Di's again.", "Thank you for playing."]
    return {
        "stand-in-over": ("stand_in_over", {"owner": "Di", "table_name": "Ann's table"}),
        "turn-over-stand-in": ("play_old", {**PLAYED, "sentences": sentences, "table_link": None}),
    }
