"""Serves practice hands against three robots, on the turn and pass pages, without an address, a cookie or a row.

Every state of a hand has a URL of its own. GET shows it, so that the browser's Back works; POST leads to the next one.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from hearts.game import IllegalTurn, Stage
from hearts.score import HandScore
from hearts.turns import Pass, Play
from webapp.core.refusal import Refused
from webapp.core.tokens import PracticeLink
from webapp.forms.turns import read_turn
from webapp.games.asked.due import due_of
from webapp.models import TurnSource
from webapp.pages.common import PageContext, page, runtime
from webapp.pages.question import PassPage, TurnPage
from webapp.practice import NAMES, RULES, YOU, PracticeHand, after, from_the_start, hand_of, new_hand
from webapp.presentation.clock_text import ROUND
from webapp.presentation.lessons import outcome_text
from webapp.presentation.scoresheet import ScoreSheet, score_sheet
from webapp.presentation.sheets import PracticeSheet, practice_sheet_of
from webapp.presentation.story import story
from webapp.presentation.turn_text import refusal_sentence
from webapp.robots.suggestions import ASKED, RobotHelp, suggestion_of
from webapp.robots.thinking import advise

blueprint = Blueprint("practice", __name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeTurn(TurnPage):
    practice: PracticeSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticePass(PassPage):
    practice: PracticeSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeOver(PageContext):
    practice: PracticeSheet
    score: ScoreSheet
    outcome_text: str
    story: Sequence[str]
    again_link: str
    round_takes: str = ROUND


@blueprint.get("/practice")
def begin() -> Response:
    return redirect(runtime().signer.local_url(new_hand(runtime().keys)))


@blueprint.get("/practice/<token>")
def show(token: str) -> str:
    hand = _hand(token)
    return _question_page(hand) if hand.score is None else _over_page(hand, hand.score)


@blueprint.post("/practice/<token>")
def play(token: str) -> Response | tuple[str, int]:
    hand = _hand(token)
    due = due_of(hand.game, YOU)
    if due is None:  # the hand is over
        return redirect(request.path, 303)
    try:
        turn = read_turn(YOU, due.what, request.form.getlist("card"), request.form.get("moon", ""))
        assert isinstance(turn, Pass | Play)
        following = after(hand, turn)
    except Refused as error:
        return _question_page(hand, request.form.getlist("card"), str(error)), 400
    except IllegalTurn as error:
        sentence = refusal_sentence(hand.game, turn) or str(error)
        return _question_page(hand, request.form.getlist("card"), sentence), 400
    return redirect(runtime().signer.local_url(following), 303)


def _hand(token: str) -> PracticeHand:
    return hand_of(runtime().keys, runtime().signer.read(PracticeLink, token))


def practice_sheet(hand: PracticeHand) -> PracticeSheet:
    return practice_sheet_of(hand.game, hand.asked, hand.forced, YOU, NAMES)


def _question_page(hand: PracticeHand, chosen: Sequence[str] = (), error: str | None = None) -> str:
    shown = practice_sheet(hand)
    asked = PracticePass if hand.game.stage is Stage.PASS else PracticeTurn
    return page(
        asked(
            practice=shown,
            sheet=shown.sheet,
            chosen=chosen,
            way=TurnSource.PAGE,
            error=error,
            robot=_robot_help(hand),
        )
    )


def _robot_help(hand: PracticeHand) -> RobotHelp:
    """The link that asks the robot for advice, and its answer if the visitor has asked; only that loads the engine."""
    asked = ASKED in request.args
    seed = zlib.crc32(f"{hand.link.deal}{hand.link.chosen}".encode())
    return RobotHelp(f"?{ASKED}=1", suggestion_of(advise(hand.game, YOU, seed)) if asked else None)


def _over_page(hand: PracticeHand, score: HandScore) -> str:
    return page(
        PracticeOver(
            practice=practice_sheet(hand),
            score=score_sheet(RULES, NAMES, [score]),
            outcome_text=outcome_text(score, YOU),
            story=story(RULES, NAMES, score),
            again_link=runtime().signer.local_url(from_the_start(hand.link)),
        )
    )
