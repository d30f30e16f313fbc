"""A practice hand as a newcomer meets it: the pass, some cards, a mistake, the end; and the home page with its deal."""

import random
from collections.abc import Iterator
from dataclasses import replace

from hearts.turns import Pass, Play
from tests.samples.rendering import PageSample
from webapp import practice
from webapp.models import TurnSource
from webapp.pages.home import Home, PracticeOver, PracticePass, PracticeTurn
from webapp.presentation.house_rules import outcome_text
from webapp.presentation.scoresheet import score_sheet
from webapp.presentation.sheets import PracticeSheet, practice_sheet_of
from webapp.presentation.story import story
from webapp.robots.thinking import RobotHelp, by_rule

KEYS = ["a" * 32]


def pages() -> dict[str, PageSample]:
    hands = list(_practised(practice.new_hand(KEYS, random.Random(0).randbytes)))
    return {
        "home": Home(sheet=_sheet(hands[0]).sheet, action="/practice/x"),
        "practice-pass": _asked(PracticePass, hands[0]),
        "practice-first": _asked(PracticeTurn, hands[1]),
        "practice-card": _asked(PracticeTurn, hands[4]),
        "practice-late": _asked(PracticeTurn, hands[-2]),
        "practice-error": replace(_asked(PracticeTurn, hands[4]), error="Choose a card to play."),
        "practice-over": _over(hands[-1]),
    }


def _practised(link: practice.PracticeLink) -> Iterator[practice.PracticeHand]:
    """A practice hand at each of the newcomer's choices, and at its end; the newcomer plays as a robot would."""
    while (hand := practice.hand_of(KEYS, link)).score is None:
        yield hand
        turn = by_rule(hand.game, practice.YOU)
        assert isinstance(turn, Pass | Play)
        link = practice.after(hand, turn)
    yield hand


def _sheet(hand: practice.PracticeHand) -> PracticeSheet:
    return practice_sheet_of(hand.game, hand.asked, hand.forced, practice.YOU, practice.NAMES)


def _asked(page: type[PracticePass | PracticeTurn], hand: practice.PracticeHand) -> PracticePass | PracticeTurn:
    shown, robot = _sheet(hand), RobotHelp("?suggest=1", None)
    return page(practice=shown, sheet=shown.sheet, chosen=(), way=TurnSource.PAGE, robot=robot)


def _over(hand: practice.PracticeHand) -> PracticeOver:
    score = hand.game.scores[-1]
    return PracticeOver(
        practice=_sheet(hand),
        again_link="/practice/x",
        score=score_sheet(practice.RULES, practice.NAMES, [score]),
        story=story(practice.RULES, practice.NAMES, score),
        outcome_text=outcome_text(score, practice.YOU),
    )
