"""Each choice has a reason in whole sentences, as a person would say it, and it is true of the cards."""

import random
import re
from typing import Any

import pytest

from hearts.cards import Cards, parse_code
from hearts.game import Stage, new_game
from hearts.robot import consider
from hearts.robot.race import Arm
from hearts.robot.reading import position
from hearts.robot.reasons import reason as sentence_for
from hearts.seats import Seat
from hearts.turns import Moon, MoonChoice, Pass, Play
from hearts.view import view
from tests.every import of_every
from tests.hearts.robot.asked import seen
from tests.hearts.robot.tables import any_rules, dealt, step


def reason(place: Any, turn: Any, arms: Any = ()) -> str:
    return str(sentence_for(place, turn, arms))


CASES = [
    pytest.param(
        seen("5S 9S AS 4H 9H 3D 7D 8D TD JD QD KD", "2C 3C 4C KC TC"),
        "AS",
        "The queen is still out and you hold A♠: get rid of it while clubs are led.",
        id="ace of spades away",
    ),
    pytest.param(
        seen("5S QS AS 4H 9H 3D 7D 8D TD JD QD KD", "2C 3C 4C KC TC"),
        "QS",
        "You need not follow clubs: the queen goes to the winner of this trick.",
        id="queen away",
    ),
    pytest.param(
        seen("QS 3S 4H 9H 3D 7D 8D TD JD QD KD AD", "2C 3C 4C KC KS"),
        "QS",
        "K♠ is on the table: the queen goes to its player.",
        id="queen under the king",
    ),
    pytest.param(
        seen("QC 3C 4H 9H 3D 7D 8D TD JD QD KD AD", "2C 4C 5C KC TC"),
        "3C",
        "3♣ stays under 10♣: your highest that does not win.",
        id="ducking",
    ),
    pytest.param(
        seen("3S 8S TS 9H 3D 7D 8D TD JD QD KD AD 3H", "", rules={"opening": "eldest"}),
        "TS",
        "The queen is still out and cannot hurt you under 10♠: lead spades until it falls.",
        id="leading under the queen",
    ),
    pytest.param(
        seen("KC QC 3S 9H 3D 7D 8D TD JD QD KD AD 3H", "", rules={"opening": "any-club"}),
        "KC",
        "Only 1 of the 11 clubs still out would beat K♣: if it must win once, better now than later.",
        id="leading a card that most likely wins",
    ),
    pytest.param(
        seen("8C QC 3S 9H 3D 7D 8D TD JD QD KD AD 3H", "", rules={"opening": "any-club"}),
        "8C",
        "5 of the 11 clubs still out would beat 8♣: somebody may well go over it.",
        id="leading a card that should not win",
    ),
    pytest.param(
        seen("KC QC 9H 3D 7D 8D TD JD QD KD AD 3H", "2C 4C", leader=2),
        "KC",
        "You cannot get under 4♣: be rid of K♣, and somebody may still go over it.",
        id="not last, and nothing under",
    ),
    pytest.param(
        seen("KC QC 9H 3D 7D 8D TD JD QD KD AD 3H", "2C 4C", leader=2),
        "QC",
        "You cannot get under 4♣: it is easiest for the others to go over Q♣.",
        id="not last, nothing under, and the lower one",
    ),
    pytest.param(
        seen("AH KH 9C", "2H 4H 3C", leader=1),
        "AH",
        "You cannot get under 4♥: take the trick with A♥ and be rid of a high card.",
        id="last, with points",
    ),
    pytest.param(
        seen("AC 2C 9C", "4C QS 5C", leader=1),
        "AC",
        "A♣ goes over 5♣: this trick, with 13 points in it, is cheaper to take than a later one.",
        id="over a card that could be ducked",
    ),
    pytest.param(
        seen("AD 2D 9C", "4D JD 5D", leader=1, rules={"preset": "omnibus"}),
        "AD",
        "The jack of diamonds is in the trick: A♦ goes for it.",
        id="the jack of diamonds",
    ),
    pytest.param(
        seen("KC 3C 3S 9H 3D 7D 8D TD JD QD KD AD 3H", "2C 4C 5C", leader=1),
        "KC",
        "You play last and there are no points in the trick: K♣ wins it safely.",
        id="last without points",
    ),
    pytest.param(
        seen("KC 3S 9H 3D 7D 8D TD JD QD KD AD 3H 5H", "2C 4C 5C", leader=1),
        "KC",
        "K♣ is the only card that you may play.",
        id="forced",
    ),
]


@pytest.mark.parametrize(("place", "card", "sentence"), CASES)
def test_the_reason_is_what_a_player_would_say(place: Any, card: str, sentence: str):
    assert reason(place, Play(Seat(0), parse_code(card))) == sentence


CANCELLING = {"preset": "cancellation", "players": 6}


@pytest.mark.parametrize(
    ("place", "card", "sentence"),
    [
        pytest.param(
            seen("KC QC 3D", "2C 2C 4D 5D 6D", leader=1, rules=CANCELLING, totals=[0] * 6),
            "KC",
            "What lies on the table cancels out: K♣ may win this trick.",
            id="one pair",
        ),
        pytest.param(
            seen("KC QC 3D", "2C 2C 4D 4D 6D", leader=1, rules=CANCELLING, totals=[0] * 6),
            "KC",
            "Two pairs lie on the table, and nobody wins this trick: be rid of K♣.",
            id="two pairs",
        ),
        pytest.param(
            seen("AC KC 3D", "2D 4D 5D 6D 7D 9D", leader=1, rules=CANCELLING, totals=[0] * 6),
            "AC",
            "Nothing goes over A♣, but the other A♣ may cancel it.",
            id="the other ace",
        ),
    ],
)
def test_with_two_packs_the_reason_mentions_cancelled_cards(place: Any, card: str, sentence: str):
    assert reason(place, Play(Seat(0), parse_code(card))) == sentence


ALL_HEARTS_BUT_ONE = "AH 2H 3H 4H KH 5H 6H 7H QH 8H 9H TH QS 2S 3S 7S"


@pytest.mark.parametrize(
    ("plays", "sentence"),
    [
        pytest.param("4S 9S 5S", "J♥ goes to another, and the moon is off.", id="the shooter has played"),
        pytest.param("2C 3C KC 5C 4S", "J♥ may go to another.", id="the shooter plays later"),
    ],
)
def test_against_a_moon_the_reason_is_certain(plays: str, sentence: str):
    """Seat 1 has every point so far; seat 0 has no spade left."""
    place = seen("JH 3D 4D", f"{ALL_HEARTS_BUT_ONE} {plays}", leader=1)
    assert reason(place, Play(Seat(0), parse_code("JH"))) == f"One player has every point so far. {sentence}"


def test_the_reason_for_a_pass_names_the_missing_guards():
    place = seen("2C 3C 4C 5C 2D 3D 4D 5S KS QS 2H 3H 4H", stage="pass", **{"pass": "left"})
    sentence = reason(place, Pass(Seat(0), Cards.parse("KS QS 4H")))
    assert sentence == "One low spade does not guard Q♠ and K♠ well enough: pass Q♠, K♠ and 4♥."


def test_the_reason_for_a_pass_mentions_the_guarded_queen():
    place = seen("AC 3C 4C 5C AD 3D 4D 5S 6S 7S 8S QS 4H", stage="pass", **{"pass": "left"})
    sentence = reason(place, Pass(Seat(0), Cards.parse("AC AD 5C")))
    assert sentence == "Your 4 low spades guard the queen: keep it and pass 5♣, A♣ and A♦."


@pytest.mark.parametrize(
    ("held", "sentence"),
    [
        ("KS QS AH", "No low spade guards Q♠ and K♠: pass Q♠, K♠ and A♥."),
        ("2S 3S KS QS AH", "2 low spades do not guard Q♠ and K♠ well enough: pass Q♠, K♠ and A♥."),
    ],
)
def test_the_number_of_guards_is_counted(held: str, sentence: str):
    place = seen(f"{held} 2C 3C 4C 5C 2D 3D 4D 5D", stage="pass", **{"pass": "left"})
    assert reason(place, Pass(Seat(0), Cards.parse("KS QS AH"))) == sentence


@pytest.mark.parametrize(
    ("preset", "sides", "sentence"),
    [
        ("classic", 4, "You may yet take every point: A♠ keeps that open."),
        ("partners", 2, "You and your partner may yet take every point: A♠ keeps that open."),
    ],
)
def test_the_reason_to_shoot_has_no_figures(preset: str, sides: int, sentence: str):
    place = seen("AS KS QS 3S", "2S 4S 5S", rules={"preset": preset}, leader=1, totals=[0] * sides)
    arms = [Arm(parse_code("AS"), shoots=True, deals=9, cost=0.0, own=0.0, moons=0.4, rivals=0.0)]
    assert reason(place, Play(Seat(0), parse_code("AS")), arms) == sentence


def test_the_reason_for_a_moon_choice_names_the_totals():
    place = seen("3C", "", rules={"opening": "eldest"})
    assert "your own total" in reason(place, Moon(Seat(0), MoonChoice.SUBTRACT))


@of_every(range(80))
def test_every_reason_is_in_whole_sentences_about_the_chosen_cards(seed: int):
    rng = random.Random(seed)
    game = dealt(new_game(any_rules(rng)), rng)
    for _ in range(rng.randrange(70)):
        after = step(game, rng)
        game = after if after.stage in (Stage.PASS, Stage.PLAY) else game
    place = position(view(game, game.to_act[0]))
    sentence = consider(place, playouts=100).reason
    assert re.fullmatch(r"[A-Z0-9][^\n]*\.", sentence)
    assert re.search("[♣♦♠♥]|the queen", sentence)
