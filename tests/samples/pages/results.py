"""A result that is shared, as its player and as everybody sees it."""

from dataclasses import replace
from functools import cache

from tests.samples.cast import CAST
from tests.samples.finished import scores, stored_game
from tests.samples.games import CLASSIC, finished_game
from tests.samples.links import TABLE_LINK
from tests.samples.pages.relive import relived
from tests.samples.rendering import PageSample
from webapp.pages.sharing import SharedPage, SharePage
from webapp.presentation.scoresheet import score_sheet
from webapp.presentation.sheets import score_sheet_of
from webapp.results.result import result

LINK = "https://hearts.example/shared/WzEsMSwxXQ.aZxY81.s8Hj7gF6dD5sS4aA3q"
HIDDEN = ("North", "East", "Ann", "Pip")  # the names of a game whose other players are not shared


def pages() -> dict[str, PageSample]:
    return {**_shared(), **_sharing()}


def _shared() -> dict[str, PageSample]:
    made: dict[str, PageSample] = {f"shared-{name}": _shown(name) for name in scores()}
    ended = score_sheet(CLASSIC, CAST, finished_game(CLASSIC).scores[:1], is_ended=True)
    classic, hand = _shown("classic"), relived(CLASSIC, HIDDEN, 1, 24, reviewed=False)
    links = classic.hand_links
    return made | {
        "shared-ended": replace(classic, result=result(CLASSIC, ended), score=ended, hand_links=links[:1]),
        "shared-mine": replace(classic, stop_action="/shared/x/stop"),
        "shared-hand": replace(hand, table_name="A shared game", result_link="/shared/x", hand_links=links),
    }


@cache
def _shown(name: str) -> SharedPage:
    """Returns what everybody sees of the game of that name in `scores`."""
    score, names, rules = scores()[name]
    shown = score_sheet_of(stored_game(rules, HIDDEN if name == "classic" else names))
    return SharedPage(
        result=result(rules, shown),
        score=shown,
        url=LINK,
        picture=f"{LINK}/picture.png?v=0123456789abcdef",
        hand_links=[(line.number, f"/shared/x/hand/{line.number}") for line in score.hands],
    )


def _sharing() -> dict[str, PageSample]:
    """The page on which a player shares a result."""
    page = SharePage(
        result=_shown("classic").result,
        link=None,
        names=False,
        others="West, North and East",
        is_playing=False,
        action="?game=1",
        table_name="Ann's table",
        table_link=TABLE_LINK,
    )
    return {
        "share": page,
        "share-robots": replace(page, others=""),
        "share-playing": replace(page, is_playing=True),
        "share-done": replace(page, link=LINK, names=True),
        "share-done-robots": replace(page, others="", link=LINK),
        "share-nasty": replace(page, link=LINK, result=_shown("nasty").result),
    }
