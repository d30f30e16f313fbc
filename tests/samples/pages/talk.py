"""The talk at a table of free text, of phrases, or of none."""

from dataclasses import replace

from tests.samples.cast import CAST, NASTY
from tests.samples.games import CLASSIC
from tests.samples.pages.table import playing
from tests.samples.pages.turns import ASKED, turn
from tests.samples.rendering import PageSample
from tests.samples.sheets import pass_sheets
from tests.samples.tables import talk
from webapp.games.talk import LONGEST, PHRASES, REACTIONS
from webapp.pages.play import PassPage
from webapp.presentation.happened import Bubble, TalkSheet, Unsaid, phrases


def pages() -> dict[str, PageSample]:
    said = talk(*PHRASES[5:12], "QS", "Back in an hour, or perhaps two; " * 8, "x" * LONGEST, "Thank you, Bo")
    nasty = talk(*NASTY, "x" * LONGEST, "<script>alert(7)</script> &amp;", names=NASTY)
    asked = replace(turn(), play_link="/play/x")
    bubbles = (None, Bubble("Ann", "👏", False), None, Bubble("Cy", "Back in an hour, or perhaps two; " * 3, True))
    tapped = {"reactions": REACTIONS, "phrases": phrases(PHRASES[5:])}
    ways = {"action": "/play/x/talk", "may_type": True, "longest": LONGEST, **tapped}
    typing = TalkSheet(said, said[-1], bubbles, 7, **ways)
    silent = replace(
        typing, lines=(), heard=None, bubbles=(None, None, Bubble("Bo", "Good luck, everybody", True), None)
    )
    nastily = replace(
        typing, lines=nasty, heard=nasty[-2], bubbles=(None, Bubble(NASTY[1], NASTY[0], True), None, None)
    )
    passing = PassPage(sheet=pass_sheets()["classic"], play_link="/play/x", talk=silent, **ASKED)
    refused = Unsaid(NASTY[0], "That was a lot within a minute. Please wait a moment before you say more.")
    return {
        "turn-talk": replace(asked, talk=typing),
        "turn-talk-nasty": replace(asked, talk=nastily, unsaid=refused),
        "turn-talk-phrases": replace(asked, talk=replace(typing, may_type=False), unsaid=refused),
        "pass-talk": passing,
        "table-talk": replace(playing(CLASSIC, CAST), talk=TalkSheet(said)),
    }
