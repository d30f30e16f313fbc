"""A finished hand, relived step by step."""

from dataclasses import replace
from typing import Any

from hearts.rules import Rules
from tests.samples.cast import CAST, CROWD, NASTY, READER
from tests.samples.finished import opinions_on, stored_game
from tests.samples.games import CLASSIC, ELEVEN, KITTY, PARTNERS
from tests.samples.rendering import PageSample
from tests.samples.tables import talk
from webapp.games.record.finished import finished_hand
from webapp.games.talk import LONGEST, PHRASES, REACTIONS
from webapp.pages.relive import RelivePage, Remark
from webapp.presentation.happened import TalkSheet, phrases
from webapp.presentation.scoresheet import score_sheet
from webapp.presentation.story import story
from webapp.results.relive import scene

FORM: Any = {"reactions": REACTIONS, "phrases": phrases(PHRASES[5:]), "may_type": True, "longest": LONGEST}


def pages() -> dict[str, PageSample]:
    made: dict[str, PageSample] = {
        f"relive-{name}": relived(CLASSIC, CAST, 1, step, reviewed=reviewed)
        for name, step, reviewed in (("deal", 1, False), ("pass", 2, True), ("card", 24, True), ("score", 55, False))
    }
    may_ask = replace(relived(CLASSIC, CAST, 1, 20, reviewed=False), may_ask=True)
    deal = made["relive-deal"]
    assert isinstance(deal, RelivePage)
    return made | {
        "relive-deal": replace(deal, is_proved=True),
        "relive-may-ask": may_ask,
        "relive-talk": _talked(relived(CLASSIC, CAST, 1, 26), "Brave, that king", "👏", "I had no other club left, Bo"),
        "relive-talk-nasty": _talked(relived(CLASSIC, NASTY, 1, 26), *NASTY, "x" * LONGEST, names=NASTY),
        "relive-nasty": relived(CLASSIC, NASTY, 2, 30),
        "relive-three": relived(KITTY, CAST[:3], 1, 7),
        "relive-partners": relived(PARTNERS, CAST, 4, 12),
        "relive-eleven": relived(ELEVEN, CROWD, 1, 33),
        "relive-eleven-deal": relived(ELEVEN, CROWD, 2, 1),
    }


def relived(rules: Rules, names: tuple[str, ...], hand: int, step: int, *, reviewed: bool = True) -> RelivePage:
    """The page of a finished hand at a step; as a player sees it, if `reviewed`, else as everybody does."""
    stored = stored_game(rules, names)
    finished = finished_hand(stored, hand)
    return RelivePage(
        scene=scene(finished, step, opinions_on(finished, READER) if reviewed else ()),
        score=score_sheet(
            rules, names, stored.game.scores[:hand], (), [story(rules, names, one) for one in stored.game.scores[:hand]]
        ),
        table_name="Ann's table",
        reviewed=reviewed,
    )


def _talked(page: RelivePage, *texts: str, names: tuple[str, ...] = CAST) -> RelivePage:
    """The page to a player who may say something about its trick, and about whose tricks others have."""
    said = talk(*texts, names=names)
    sheet = TalkSheet(said, heading="Said about trick 6", action="/relive/x/say?step=26", **FORM)
    return replace(page, talk=sheet, remarks=[Remark(26, 6, line) for line in said])
