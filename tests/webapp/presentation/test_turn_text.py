"""Turns in sentences: what was played, why it was refused, and whose turn it is."""

import pytest

from hearts.cards import Cards, parse_code
from hearts.plans import Order, Rule
from hearts.seats import Seat
from hearts.turns import Pass, Play
from webapp.games.planning import ROBOT
from webapp.games.records import Record
from webapp.models import TurnSource
from webapp.presentation.faces import face
from webapp.presentation.turn_text import turn_sentence

CARD = Play(Seat(0), parse_code("9S"))
NINE = face(CARD.card).text


@pytest.mark.parametrize("by", [*Order, *Rule])
def test_every_order_and_rule_says_what_it_played(by):
    sentence = turn_sentence(Record(CARD, TurnSource.PLAN, {"by": by.value}))
    assert sentence.startswith("Your plan ")
    assert NINE in sentence
    assert sentence.endswith(".")


def test_a_robot_that_plays_a_hand_says_so_and_why():
    choice = {"by": ROBOT, "reason": "It is the last spade."}
    assert turn_sentence(Record(CARD, TurnSource.PLAN, choice)) == (
        f"You let a robot play. We played {NINE} for you. It is the last spade."
    )
    passed = Pass(Seat(0), Cards.parse("9S"))
    assert f"We passed {NINE} for you." in turn_sentence(Record(passed, TurnSource.PLAN, choice))


def test_an_answer_ahead_says_so():
    assert turn_sentence(Record(CARD, TurnSource.AHEAD)) == f"You chose {NINE} ahead, and it was played."
