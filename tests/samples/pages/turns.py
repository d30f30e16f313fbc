"""The question of a turn: a card, a pass, the moon, with the robot's advice; and what we say to the answer."""

from dataclasses import replace
from typing import Any

from hearts.game import Game, Stage
from hearts.rules import preset_rules
from tests.samples.cast import CROWD
from tests.samples.games import CLASSIC, first_game, following, moon_game
from tests.samples.links import TABLE_LINK
from tests.samples.rendering import PageSample
from tests.samples.sheets import advised, pass_sheets, sheet_of, sheets
from webapp.games.asked.running import NextGame
from webapp.models import TurnSource
from webapp.pages.play import MoonPage, PassPage, TurnPage
from webapp.pages.ways_in import OldLinkPage
from webapp.presentation.house_rules import goal_text
from webapp.robots.thinking import RobotHelp

ASKED: dict[str, Any] = {"table_link": TABLE_LINK, "chosen": (), "way": TurnSource.PAGE, "shown": 0, "robot": None}
NEXT_GAME = NextGame("/turn/y", "Bo's table, trick 11", 3)  # another game that waits for the player


def pages() -> dict[str, PageSample]:
    return {**_turns(), **_passes(), **_advice(), **_answers()}


def turn(sheet: Any = None) -> TurnPage:
    """A turn, usually in mid-trick, with nothing chosen."""
    return TurnPage(sheet=sheet or sheets()["following"], **ASKED)


def with_last_card_chosen(sheet: Any) -> TurnPage:
    return replace(turn(sheet), chosen=[sheet.legal_faces[-1].code])


def _turns() -> dict[str, PageSample]:
    error = "You can't play Q♠\ufe0e now. You must follow clubs."
    again = replace(turn(), again_action="/turn/x/again")
    return {
        **{f"turn-{name}": with_last_card_chosen(sheet) for name, sheet in sheets().items()},
        **{f"turn-{name}": with_last_card_chosen(_around(players)) for name, players in (("five", 5), ("six", 6))},
        "turn-leading": replace(turn(sheets()["leading"]), error=error),
        "moon": MoonPage(sheet=sheet_of(moon_game()), **{**ASKED, "chosen": ["add"]}),
        "turn-again": again,
        "turn-new-browser": replace(again, sign_in_action="/turn/x/sign-in"),
        "turn-mailed": replace(again, mailed=True),
    }


def _around(players: int) -> Any:
    rules = preset_rules("classic", players=players)
    return sheet_of(first_game(rules, lambda game: following(game, trick=2, void=False)), CROWD[:players])


def _passes() -> dict[str, PageSample]:
    made = {name: PassPage(sheet=sheet, **ASKED) for name, sheet in pass_sheets().items()}
    classic = made["classic"]
    chosen = [row.cards[-1].face.code for row in classic.sheet.suits][:3]
    return {
        **{f"pass-{name}": page for name, page in made.items()},
        "pass-classic": replace(classic, chosen=chosen),
        "pass-nasty": replace(made["nasty"], error="Choose one more card."),
        "pass-first": replace(classic, goal=goal_text(CLASSIC)),
    }


def _advice() -> dict[str, PageSample]:
    may_ask = RobotHelp("?suggest=1", None)
    made: dict[str, PageSample] = {}
    for name, page, game in (("turn", TurnPage, _thinking()), ("pass", PassPage, _passing())):
        made[f"{name}-suggested"] = page(sheet=sheet_of(game), **{**ASKED, "robot": advised(game)})
        made[f"{name}-may-ask"] = page(sheet=sheet_of(game), **{**ASKED, "robot": may_ask})
    moon = moon_game()
    made["moon-suggested"] = MoonPage(sheet=sheet_of(moon), **{**ASKED, "robot": advised(moon)})
    return made


def _thinking() -> Game:
    return first_game(CLASSIC, lambda game: following(game, trick=6, void=True))


def _passing() -> Game:
    return first_game(CLASSIC, lambda game: game.stage is Stage.PASS)


def _answers() -> dict[str, PageSample]:
    over = OldLinkPage(heading="You played 7♦", sentences=["You played 7♦.", "Waiting for Bo."], table_link=TABLE_LINK)
    over = replace(over, sign_in_action="/turn/x/sign-in")
    asked_now = replace(over, sentences=["You played 7♦.", "It's your turn."], action="/turn/x/back")
    return {
        "turn-over": over,
        "turn-over-away": replace(over, action="/turn/x/back", is_away=True),
        "turn-over-asked": asked_now,
    }
