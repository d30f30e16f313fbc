"""The talk at a table of free text, of phrases, or of none."""

from dataclasses import replace

from tests.samples.cast import CAST, NASTY
from tests.samples.games import CLASSIC
from tests.samples.pages.table import playing
from tests.samples.pages.turns import following_turn
from tests.samples.rendering import Sample
from tests.samples.sheets import pass_sheets
from tests.samples.tables import talk
from webapp.games.talk import LONGEST, PHRASES, REACTIONS
from webapp.presentation.talk import Bubble, TalkSheet, Unsaid


def pages() -> dict[str, Sample]:
    said = talk(*PHRASES[5:12], "QS", "Back in an hour, or perhaps two; " * 8, "x" * LONGEST, "Thank you, Bo")
    nasty = talk(*NASTY, "x" * LONGEST, "<script>alert(7)</script> &amp;", names=NASTY)
    asked = {**following_turn(), "play_link": "/play/x"}
    bubbles = (None, Bubble("Ann", "👏", False), None, Bubble("Cy", "Back in an hour, or perhaps two; " * 3, True))
    ways = {"action": "/play/x/talk", "reactions": REACTIONS, "phrases": PHRASES, "may_type": True, "longest": LONGEST}
    typing = TalkSheet(said, said[-1], bubbles, 7, **ways)
    silent = replace(
        typing, lines=(), heard=None, bubbles=(None, None, Bubble("Bo", "Good luck, everybody", True), None)
    )
    nastily = replace(
        typing, lines=nasty, heard=nasty[-2], bubbles=(None, Bubble(NASTY[1], NASTY[0], True), None, None)
    )
    refused = Unsaid(NASTY[0], "That was a lot within a minute. Please wait a moment before you say more.")
    return {
        "turn-talk": ("turn", {**asked, "talk": typing}),
        "turn-talk-nasty": ("turn", {**asked, "talk": nastily, "unsaid": refused}),
        "turn-talk-phrases": ("turn", {**asked, "talk": replace(typing, may_type=False), "unsaid": refused}),
        "pass-talk": ("pass", {**asked, "sheet": pass_sheets()["classic"], "talk": silent}),
        "table-talk": ("table", {**playing(CLASSIC, CAST), "talk": TalkSheet(said)}),
    }
