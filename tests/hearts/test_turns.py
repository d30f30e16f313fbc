"""Turns of a game, as JSON."""

import pytest

from hearts.cards import Cards, parse_code
from hearts.seats import Seat
from hearts.turns import Deal, Moon, MoonChoice, NotATurn, Pass, Play, parse_turn, turn_mapping


@pytest.mark.parametrize(
    "turn",
    [
        Deal(Seat(2), (Cards.parse("2C QS QS"), Cards()), Cards.parse("AH")),
        Pass(Seat(0), Cards.parse("2C QS AH")),
        Play(Seat(3), parse_code("TD")),
        Moon(Seat(1), MoonChoice.SUBTRACT),
    ],
)
def test_a_turn_can_be_written_and_read_back(turn):
    assert parse_turn(turn_mapping(turn)) == turn


@pytest.mark.parametrize(
    "mapping",
    [
        {},
        {"turn": "fold"},
        {"turn": "play", "seat": 0},
        {"turn": "play", "seat": "0", "card": "QS"},
        {"turn": "play", "seat": True, "card": "QS"},
        {"turn": "play", "seat": -1, "card": "QS"},
        {"turn": "play", "seat": 0, "card": "queen"},
        {"turn": "play", "seat": 0, "card": None},
        {"turn": "pass", "seat": 0, "cards": "QS QS QS"},
        {"turn": "pass", "seat": 0, "cards": 3},
        {"turn": "moon", "seat": 0, "choice": "smart"},
        {"turn": "deal", "dealer": 0, "held": None, "kitty": ""},
    ],
)
def test_an_invalid_turn_is_rejected(mapping):
    with pytest.raises(NotATurn):
        parse_turn(mapping)
