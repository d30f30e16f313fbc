"""The question of a turn: a card, a pass, the moon, with the robot's advice; and what we say to the answer."""

from typing import Any

from hearts.game import Game, Stage
from tests.samples.games import CLASSIC, first_game, following, moon_game
from tests.samples.links import TABLE_LINK
from tests.samples.rendering import Sample
from tests.samples.sheets import advised, pass_sheets, sheet_of, sheets
from webapp.games.asked.running import NextGame
from webapp.presentation.house_rules import goal_text
from webapp.robots.suggestions import RobotHelp

TURN: dict[str, Any] = {
    "table_link": TABLE_LINK,
    "error": None,
    "chosen": [],
    "way": "page",
    "shown": 0,
}  # but for its sheet
NEXT_GAME = NextGame("/turn/y", "Bo's table, trick 11", 3)  # another game that waits for the player
PLAYED: dict[str, Any] = {"heading": "You played 7♦", "table_link": TABLE_LINK, "action": None}  # but for its sentences


def pages() -> dict[str, Sample]:
    return {**_turns(), **_passes(), **_advice(), **_answers()}


def following_turn() -> dict[str, Any]:
    """The context of a turn in mid-trick, with nothing chosen."""
    return {**TURN, "sheet": sheets()["following"]}


def with_last_card_chosen(sheet: Any) -> dict[str, Any]:
    return {**TURN, "sheet": sheet, "chosen": [sheet.legal_faces[-1].code]}


def _turns() -> dict[str, Sample]:
    made: dict[str, Sample] = {
        f"turn-{name}": ("turn", with_last_card_chosen(sheet)) for name, sheet in sheets().items()
    }
    error = "You can't play Q♠\ufe0e now. You must follow clubs."
    made["turn-leading"] = ("turn", {**TURN, "sheet": sheets()["leading"], "error": error})
    made["moon"] = ("moon", {**TURN, "sheet": sheet_of(moon_game()), "chosen": ["add"]})
    asked_again = {**following_turn(), "again_action": "/turn/x/again"}
    for name, is_mailed in (("again", False), ("mailed", True)):
        made[f"turn-{name}"] = ("turn", {**asked_again, "mailed": is_mailed})
    return made


def _passes() -> dict[str, Sample]:
    made: dict[str, Sample] = {
        f"pass-{name}": ("pass", {**TURN, "sheet": sheet}) for name, sheet in pass_sheets().items()
    }
    made["pass-classic"][1]["chosen"] = [row.cards[-1].face.code for row in pass_sheets()["classic"].suits][:3]
    made["pass-nasty"][1]["error"] = "Choose one more card."
    made["pass-first"] = ("pass", {**TURN, "sheet": pass_sheets()["classic"], "goal": goal_text(CLASSIC)})
    return made


def _advice() -> dict[str, Sample]:
    may_ask = RobotHelp("?suggest=1", None)
    made: dict[str, Sample] = {}
    for name, game in (("turn", _thinking()), ("pass", _passing())):
        made[f"{name}-suggested"] = (name, {**TURN, "sheet": sheet_of(game), "robot": advised(game)})
        made[f"{name}-may-ask"] = (name, {**TURN, "sheet": sheet_of(game), "robot": may_ask})
    moon = moon_game()
    made["moon-suggested"] = ("moon", {**TURN, "sheet": sheet_of(moon), "robot": advised(moon)})
    return made


def _thinking() -> Game:
    return first_game(CLASSIC, lambda game: following(game, trick=6, void=True))


def _passing() -> Game:
    return first_game(CLASSIC, lambda game: game.stage is Stage.PASS)


def _answers() -> dict[str, Sample]:
    over = {**PLAYED, "sentences": ["You played 7♦.", "Waiting for Bo."]}
    asked_now = {**PLAYED, "sentences": ["You played 7♦.", "It's your turn."]}
    return {
        "turn-over": ("play_old", over),
        "turn-over-away": ("play_old", {**over, "action": "/turn/x/back", "is_away": True}),
        "turn-over-asked": ("play_old", {**asked_now, "action": "/turn/x/back"}),
    }
