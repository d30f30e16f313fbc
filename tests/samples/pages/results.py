"""A result that is shared, as its player and as everybody sees it."""

from functools import cache
from typing import Any

from tests.samples.cast import CAST
from tests.samples.finished import scores, stored_game
from tests.samples.games import CLASSIC, finished_game
from tests.samples.links import TABLE_LINK
from tests.samples.pages.relive import relived
from tests.samples.rendering import Sample
from webapp.presentation.present import score_sheet
from webapp.presentation.result import result
from webapp.presentation.sheets import score_sheet_of

LINK = "https://hearts.example/shared/WzEsMSwxXQ.aZxY81.s8Hj7gF6dD5sS4aA3q"
SHARED: dict[str, Any] = {
    "url": LINK,
    "picture": f"{LINK}/picture.png?v=0123456789abcdef",
    "picture_size": (1200, 630),
    "stop_action": None,
}
HIDDEN = ("North", "East", "Ann", "Pip")  # the names of a game whose other players are not shared


def pages() -> dict[str, Sample]:
    return {**_shared(), **_sharing()}


def _shared() -> dict[str, Sample]:
    made = {f"shared-{name}": ("shared", _shown(name)) for name in scores()}
    ended = score_sheet(CLASSIC, CAST, finished_game(CLASSIC).scores[:1], is_ended=True)
    over = {**SHARED, "result": result(CLASSIC, ended), "score": ended, "hand_links": [(1, "/shared/x/hand/1")]}
    hand = {**relived(CLASSIC, HIDDEN, 1, 24, reviewed=False), "table_name": "A shared game"}
    links = {"result_link": "/shared/x", "hand_links": made["shared-classic"][1]["hand_links"]}
    return made | {
        "shared-ended": ("shared", over),
        "shared-mine": ("shared", {**made["shared-classic"][1], "stop_action": "/shared/x/stop"}),
        "shared-hand": ("relive", {**hand, **links}),
    }


@cache
def _shown(name: str) -> dict[str, Any]:
    """Returns the context that everybody sees of the game of that name in `scores`."""
    score, names, rules = scores()[name]
    shown = score_sheet_of(stored_game(rules, HIDDEN if name == "classic" else names))
    hands = [(line.number, f"/shared/x/hand/{line.number}") for line in score.hands]
    return {**SHARED, "result": result(rules, shown), "score": shown, "hand_links": hands}


def _sharing() -> dict[str, Sample]:
    """The page on which a player shares a result."""
    frame = {"result": _shown("classic")["result"], "link": None, "names": False, "action": "?game=1"}
    frame |= {"others": "West, North and East", "table_name": "Ann's table", "table_link": TABLE_LINK}
    frame |= {"is_playing": False}
    return {
        "share": ("share", frame),
        "share-robots": ("share", {**frame, "others": ""}),
        "share-playing": ("share", {**frame, "is_playing": True}),
        "share-done": ("share", {**frame, "link": LINK, "names": True}),
        "share-done-robots": ("share", {**frame, "others": "", "link": LINK}),
        "share-nasty": ("share", {**frame, "link": LINK, "result": _shown("nasty")["result"]}),
    }
