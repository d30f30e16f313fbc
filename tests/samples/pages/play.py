"""The page that follows the game: while another player's turn is awaited, the reader's own, or nobody's."""

from dataclasses import replace
from functools import cache
from typing import Any

from hearts.game import Game, Stage
from hearts.seats import Seat
from tests.samples.cast import CAST, NASTY
from tests.samples.finished import hand_end, score_of
from tests.samples.games import CLASSIC, PARTNERS, finished_game, first_game, following, moon_game
from tests.samples.links import TABLE_LINK
from tests.samples.pages.again import AGAIN
from tests.samples.pages.turns import NEXT_GAME, TURN
from tests.samples.rendering import Sample
from tests.samples.sheets import sheet_of
from tests.samples.tables import summary
from webapp.pages.play import STILL_THERE, Follow, HandTab
from webapp.presentation.happened import Happened
from webapp.presentation.pause_text import pause_line
from webapp.presentation.present import score_sheet
from webapp.presentation.result import result
from webapp.presentation.waiting import NudgeLine, Onward, that_is_it, who_acts

FOLLOW = Follow("/play/x", "5f3a2c11", is_live=True, tap_plays=True)
FOLLOWED = {"follow": FOLLOW, "play_link": "/play/x", "table_link": TABLE_LINK, "next_game": None, "talk": None}
WAITING = {**FOLLOWED, "kind": "waiting", "error": None, "back_action": None, "done": None}
ASKED = {**TURN, **FOLLOWED, "kind": "1 2 trick 5", "action": "/turn/x"}
_YOURS = "It's your turn."
TABS = [
    HandTab(1, "/play/x?hand=1", is_shown=False, waits=False, state="Waiting for Bo."),
    HandTab(2, "/play/x?hand=2", is_shown=True, waits=True, state=_YOURS),
    HandTab(3, "/play/x?hand=3", is_shown=False, waits=True, state=_YOURS),
    HandTab(4, "/play/x?hand=4", is_shown=False, waits=False, state="Hand 4 is over."),
]
PLAYED = {"done": "You played 7♦."}


def pages() -> dict[str, Sample]:
    return {**_waiting(), **_asked(), **_hands_over(), **_side_by_side(), **_between(), **_old()}


def waiting() -> dict[str, Any]:
    """The context while another player thinks."""
    return _awaiting(_thinking(), **PLAYED)


def asked() -> dict[str, Any]:
    """The context of the reader's turn."""
    forced = "It was the only card that you could play. We played 7♦ for you."
    sheet = _with_others_present(sheet_of(_thinking()))
    return {**ASKED, "sheet": sheet, "since": Happened((forced,), sheet.tricks[-2:], 2)}


@cache
def _thinking() -> Game:
    return first_game(CLASSIC, lambda game: following(game, trick=5, void=False))


@cache
def _passing() -> Game:
    return first_game(CLASSIC, lambda game: game.stage is Stage.PASS and game.hand == 2 and len(game.to_act) == 2)


def _leading() -> Game:
    return first_game(CLASSIC, lambda game: game.stage is Stage.PLAY and game.trick == 6 and not game.on_table)


def _awaiting(game: Game, names: tuple[str, ...] = CAST, **more: Any) -> dict[str, Any]:
    """The context for somebody whose turn it is not: Cy, if possible."""
    reader = next(seat for seat in (2, 0, 1, 3) if seat not in game.to_act)
    sheet = _with_others_present(sheet_of(game, names, Seat(reader)))
    who = who_acts(sheet)
    heading = that_is_it(["Bo"], mails=True)
    return {**WAITING, "sheet": sheet, "heading": heading, "who": who, "standings": score_of(game, names), **more}


def _with_others_present(sheet: Any) -> Any:
    """The sheet, with Cy and Di present as well."""
    return replace(sheet, people=tuple(replace(one, is_present=one.name in CAST[2:]) for one in sheet.people))


def _waiting() -> dict[str, Sample]:
    trick_over = _awaiting(_leading(), done="You played K♠.")
    away = {"back_action": "/play/x/back", "done": "You were away. We played 7♦ for you."}
    pause = pause_line(["Bo"], is_asking=False, is_paused=False)
    return {
        "play-waiting": ("play", waiting()),
        "play-trick-over": ("play", trick_over),
        "play-next": ("play", {**trick_over, "next_game": NEXT_GAME}),
        "play-passing": ("play", _awaiting(_passing(), done="You passed A♠ K♠ Q♠.")),
        "play-moon": ("play", _awaiting(moon_game())),
        "play-nasty": ("play", _awaiting(_thinking(), NASTY, nudge=NudgeLine(NASTY[3], NASTY[2]))),
        "play-may-nudge": ("play", _awaiting(_thinking(), nudge=NudgeLine(open="Di"))),
        "play-nudged": ("play", _awaiting(_thinking(), nudge=NudgeLine(done="Di"))),
        "play-asks-pause": ("play", _awaiting(_thinking(), pause=pause)),
        "play-away": ("play", _awaiting(_thinking(), **away)),
    }


def _asked() -> dict[str, Sample]:
    pause = pause_line((), is_asking=False, is_paused=True, ends="Mon 9 March, 09:00")
    passing = _with_others_present(sheet_of(_passing()))
    return {
        "turn-live": ("turn", asked()),
        "turn-asks-pause": ("turn", {**ASKED, "sheet": asked()["sheet"], "pause": pause}),
        "pass-live": ("pass", {**ASKED, "sheet": passing, "kind": "1 2 pass"}),
    }


def _hands_over() -> dict[str, Sample]:
    """How a hand ended, before the next one."""
    classic, slow = hand_end(CLASSIC, CAST), replace(FOLLOW, is_live=False)
    uncounted = tuple(replace(line, total=None) for line in classic.lines)
    early = replace(classic, lines=uncounted, running=(1, 2), chart=None)
    late = {"error": "The table has moved on: look again."}
    return {
        "hand-end": ("hand_end", {**_ended(classic), "share_link": "/seat/x/share?game=1"}),
        "hand-end-partners": ("hand_end", {**_ended(hand_end(PARTNERS, CAST)), "follow": slow}),
        "hand-end-nasty": (
            "hand_end",
            {**_ended(hand_end(CLASSIC, NASTY)), **late},
        ),
        "hand-end-early": ("hand_end", {**_ended(early), "tabs": TABS}),
    }


def _ended(end: Any) -> dict[str, Any]:
    """The context of the result of a hand."""
    shown = {"heading": f"Hand {end.number} is over", "end": end, "sheet": end.sheet, "since": end.since}
    go_on = Onward("/play/x?shown=165", "Go on to hand 4")
    return {**FOLLOWED, **shown, "kind": "1 3 over", "error": None, "go_on": go_on, "share_link": None}


def _side_by_side() -> dict[str, Sample]:
    """Several hands at once, each with a tab."""
    goes_on = {"go_on": Onward("/play/x?waits=no", "Go on to hand 3"), "follow": replace(FOLLOW, goes_on=True)}
    passed = _awaiting(_passing(), tabs=TABS, kind="passed", go_on=Onward("/play/x?shown=9", "Go on to hand 3"))
    return {
        "turn-beside": ("turn", {**asked(), "tabs": TABS}),
        "pass-beside": ("pass", {**ASKED, "sheet": sheet_of(_passing()), "tabs": TABS}),
        "play-beside": ("play", _awaiting(_thinking(), tabs=TABS, **PLAYED)),
        "play-passed": ("play", {**passed, "heading": passed["sheet"].gave}),
        "play-goes-on": ("play", {**_awaiting(_thinking(), tabs=TABS, **PLAYED), **goes_on}),
    }


def _between() -> dict[str, Sample]:
    """Before the first game, and after the last."""
    score, none = score_of(finished_game(CLASSIC)), score_sheet(CLASSIC, CAST, ())
    frame = {**FOLLOWED, "kind": "between games", "error": None, "again": None}
    frame |= {"result": result(CLASSIC, score), "share_link": "/seat/x/share?game=1"}
    over = {"score": score, "heading": score.headline, "again": AGAIN["open"], "table": summary(CLASSIC)}
    inviting = summary(CLASSIC, states=("host", "invited", "accepted"))
    return {
        "play-over": ("play_between", {**frame, **over}),
        "play-not-begun": ("play_between", {**frame, "score": none, "heading": "Ann's table", "table": inviting}),
    }


def _old() -> dict[str, Sample]:
    """A link that is too old to play with, and how to get a new one."""
    return {
        "play-old": ("play_old", {"action": "/play/x/mail", **STILL_THERE}),
        "play-old-mailed": ("play_old", {"sent": True}),
    }
