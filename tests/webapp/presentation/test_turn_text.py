"""Turns in sentences: what was played, why it was refused, and whose turn it is."""

import pytest

from hearts.cards import Cards, parse_code
from hearts.game import apply
from hearts.seats import Seat
from hearts.turns import Moon, MoonChoice, Pass, Play
from hearts.words import Sentence
from tests.hearts.builders import game_after, rules_of, shot
from webapp.games.asked.whose_turn import HARDLY, ROBOT, SAME
from webapp.games.record.store import Record
from webapp.models import Grounds, TurnSource
from webapp.presentation.faces import face
from webapp.presentation.turn_text import awaited_sentence, played_sentence, refusal_sentence, turn_sentence

CARD = Play(Seat(0), parse_code("9S"))
NINE = face(CARD.card).text


@pytest.mark.parametrize(
    ("by", "why"),
    [
        pytest.param(SAME, ": every card that you could play was worth the same.", id="the same"),
        pytest.param(HARDLY, ": it hardly mattered which.", id="hardly matters"),
        pytest.param("duck", ".", id="by the rule of an older record"),
    ],
)
def test_a_card_played_for_a_player_says_so_and_why(by, why):
    assert turn_sentence(Record(CARD, TurnSource.AS_WISHED, Grounds(by=by))) == f"We played {NINE} for you{why}"


def test_a_robot_that_plays_a_hand_says_so_and_why():
    choice = Grounds(by=ROBOT, reason=Sentence("It is the last spade."))
    assert turn_sentence(Record(CARD, TurnSource.AS_WISHED, choice)) == (
        f"You let a robot play. We played {NINE} for you. It is the last spade."
    )
    passed = Pass(Seat(0), Cards.parse("9S"))
    assert f"We passed {NINE} for you." in turn_sentence(Record(passed, TurnSource.AS_WISHED, choice))


def test_an_answer_ahead_says_so():
    assert turn_sentence(Record(CARD, TurnSource.AHEAD)) == f"You chose {NINE} before your turn, and we played it."


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("", "Choose three more cards."),
        ("2C 3C", "Choose one more card."),
        ("2C 3C QS 2H", "Choose one card fewer."),
        ("2C 3C QS AS", "Choose one card fewer."),
        ("2C 3C AS", "You can't pass these. A♠ is not in your hand."),
        ("2C AS AS", "You can't pass these. A♠ and A♠ are not in your hand."),
    ],
)
def test_a_pass_of_the_wrong_number_says_what_to_change(given, sentence):
    game = game_after(rules=rules_of(passing="left"), s1="2C 3C QS 2H", s2="AS")
    refused = refusal_sentence(game, Pass(Seat(1), Cards.parse(given)))
    assert refused.replace("\ufe0e", "") == sentence


def test_a_card_that_may_not_be_played_says_why():
    game = game_after("2C", s2="3C 4S", rules=rules_of())
    refused = refusal_sentence(game, Play(Seat(2), parse_code("4S"))).replace("\ufe0e", "")
    assert refused == "You can't play 4♠ now. You must follow clubs."
    refused = refusal_sentence(game, Play(Seat(2), parse_code("2C"))).replace("\ufe0e", "")
    assert refused == "You can't play 2♣ now. 2♣ is not in your hand."
    since = refusal_sentence(game, Play(Seat(2), parse_code("3C")))
    assert since == "The rules of this table do not allow it now."


@pytest.mark.parametrize(
    ("turn", "sentence"),
    [
        (Pass(Seat(0), Cards.parse("9S")), f"You passed {NINE}."),
        (CARD, f"You played {NINE}."),
        (Moon(Seat(0), MoonChoice.ADD), "You gave the points of the moon to everybody else."),
        (Moon(Seat(0), MoonChoice.SUBTRACT), "You had the points of the moon taken off."),
    ],
)
def test_what_a_player_did_is_said_to_them(turn, sentence):
    assert played_sentence(turn) == sentence
    assert turn_sentence(Record(turn, TurnSource.REPLY)) == sentence


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (TurnSource.TIMEOUT, f"The deadline was over. We played {NINE} for you. It is low."),
        (TurnSource.AWAY, f"You were away. We played {NINE} for you. It is low."),
        (TurnSource.FORCED, f"It was the only card that you could play. We played {NINE} for you."),
    ],
)
def test_what_was_played_for_a_player_says_why(source, sentence):
    assert turn_sentence(Record(CARD, source, Grounds(reason=Sentence("It is low.")))) == sentence


@pytest.mark.parametrize(
    ("game", "reader", "sentence"),
    [
        pytest.param(game_after("2C", rules=rules_of()), 2, "It's your turn.", id="the reader's"),
        pytest.param(game_after("2C", rules=rules_of()), 0, "Waiting for Cy.", id="another's"),
        pytest.param(game_after(rules=rules_of(passing="left")), 4, "Waiting for Ann, Bo, Cy and Di.", id="all"),
        pytest.param(shot(), 1, "Waiting for Ann.", id="the shooter's"),
        pytest.param(apply(shot(), Moon(Seat(0), MoonChoice.ADD)), 0, "The host has ended the game.", id="ended"),
        pytest.param(apply(shot(target=26), Moon(Seat(0), MoonChoice.ADD)), 0, "The game is over.", id="over"),
    ],
)
def test_whose_turn_it_is_is_said_to_its_reader(game, reader, sentence):
    assert awaited_sentence(game, ("Ann", "Bo", "Cy", "Di"), Seat(reader)) == sentence
