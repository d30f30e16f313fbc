"""Positions with one right answer, each with its reason; `positions.json` holds them."""

import json
from pathlib import Path

import pytest

from hearts.cards import Cards
from hearts.robot import Level, consider
from hearts.robot.position import parse_position
from hearts.turns import Pass, Play

POSITIONS = json.loads(Path(__file__).with_name("positions.json").read_text())


@pytest.mark.parametrize("position", [pytest.param(it, id=it["why"]) for it in POSITIONS])
def test_the_strongest_level_finds_the_right_answer(position: dict):
    choice = consider(parse_position(position["position"]), level=Level.STRONG, seed=1)
    assert isinstance(choice.turn, Play | Pass)
    found = Cards.of([choice.turn.card]) if isinstance(choice.turn, Play) else choice.turn.cards
    assert found == Cards.parse(position["right"]), choice.reason


def test_there_are_fifty_positions():
    assert len({json.dumps(it["position"]) for it in POSITIONS}) >= 50
