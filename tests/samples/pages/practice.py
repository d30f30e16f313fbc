"""A practice hand as a newcomer meets it: the pass, some cards, a mistake, the end; and the home page with its deal."""

import random
from collections.abc import Iterator
from typing import Any

from hearts.turns import Pass, Play
from tests.samples.rendering import Sample
from webapp import practice
from webapp.presentation.lessons import outcome_text
from webapp.presentation.present import score_sheet
from webapp.presentation.sheets import PracticeSheet, practice_sheet_of
from webapp.presentation.story import story
from webapp.robots.suggestions import RobotHelp
from webapp.robots.thinking import by_rule

KEYS = ["a" * 32]


def pages() -> dict[str, Sample]:
    hands = list(_practised(practice.new_hand(KEYS, random.Random(0).randbytes)))
    made = {
        "practice-pass": ("practice_pass", _asked(hands[0])),
        "practice-first": ("practice_turn", _asked(hands[1])),
        "practice-card": ("practice_turn", _asked(hands[4])),
        "practice-late": ("practice_turn", _asked(hands[-2])),
        "practice-error": ("practice_turn", {**_asked(hands[4]), "error": "Choose a card to play."}),
        "practice-over": ("practice_over", _over(hands[-1])),
    }
    return {"home": ("home", {"sheet": made["practice-pass"][1]["sheet"], "action": "/practice/x"}), **made}


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


def _asked(hand: practice.PracticeHand) -> dict[str, Any]:
    frame = {"chosen": [], "error": None, "way": "page", "table_link": None, "robot": RobotHelp("?suggest=1", None)}
    shown = _sheet(hand)
    return {**frame, "practice": shown, "sheet": shown.sheet}


def _over(hand: practice.PracticeHand) -> dict[str, Any]:
    score = hand.game.scores[-1]
    return {
        "practice": _sheet(hand),
        "again_link": "/practice/x",
        "score": score_sheet(practice.RULES, practice.NAMES, [score]),
        "story": story(practice.RULES, practice.NAMES, score),
        "outcome_text": outcome_text(score, practice.YOU),
    }
