"""The robot claims the rest without a search where it cannot do better, and only there."""

import random

import pytest

from hearts.cards import parse_code
from hearts.claim import claim
from hearts.game import Stage
from hearts.robot import Level, are_alike, consider
from hearts.robot.claiming import the_rest
from hearts.robot.position import parse_position
from hearts.robot.reading import position
from hearts.turns import Play
from hearts.view import view
from tests.every import of_every
from tests.hearts.claims import by_claim, claims_in
from tests.hearts.robot.tables import any_rules

CLUBS = "AC 2C 3C 4C KC 5C 6C 7C QC 8C 9C TC"
DIAMONDS = "KD 3D 4D 5D QD 6D 7D 8D JD 9D QS KS"
ORDERED = ("AD 2D JC", f"{CLUBS} {DIAMONDS}".replace("QS", "2S"))


def seen(held, plays, *, rules=None, totals=None):
    """The view of seat 0 in a hand in which it led and won every trick."""
    fields = {"rules": rules or {}, "hand": 4, "dealer": 3, "seat": 0, "stage": "play", "pass": "keep"}
    return parse_position({"totals": totals or [0] * 4, "leader": 0, "held": held, "plays": plays, **fields})


CASES = [
    pytest.param(
        seen("AD KD", CLUBS),
        "The rest are yours: you win every trick and shoot the moon, whatever you lead.",
        {"AD": 0.0, "KD": 0.0},
        id="every point and every trick: the moon",
    ),
    pytest.param(
        seen(*ORDERED),
        "The rest are yours: lead J♣, A♦ and 2♦ in this order, and you win every trick and shoot the moon.",
        {"JC": 0.0},
        id="the moon, if the ace draws the last diamond",
    ),
]


@pytest.mark.parametrize(("place", "sentence", "expected"), CASES)
def test_a_claim_is_made_without_playouts_and_gives_its_reason(place, sentence, expected):
    for level in (Level.STEADY, Level.STRONG):
        choice = consider(place, level=level, seed=3)
        assert (choice.reason, dict(choice.expected), choice.playouts) == (sentence, expected, 0)
        assert consider(place, level=level, playouts=choice.playouts, seed=3) == choice


def test_the_rule_level_plays_by_its_rules():
    for case in CASES:
        assert "yours" not in consider(case.values[0], level=Level.RULE).reason


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        pytest.param("5D", "5D", True, id="the same"),
        pytest.param("5D", "6D", True, id="neighbours"),
        pytest.param("5D", "8D", False, id="with the seven out"),
        pytest.param("5D", "5S", False, id="of two suits"),
    ],
)
def test_cards_with_nothing_between_them_are_equivalent(one, other, alike):
    place = seen("5D 6D 8D 5S", CLUBS)
    plays = [Play(place.seat, parse_code(code)) for code in (one, other)]
    assert are_alike(place, *plays) == alike


def test_the_robot_takes_no_points_where_it_can_avoid_them():
    """The ace would draw the last diamond, and the two take points as well: the two first gives the lead away."""
    place = seen("AD 2D", "3C AC 2H 4C 5C 6C 7C KC KD 3D 4D 5D QD 6D 7D 8D JD 9D 2S 3S")
    assert claim(place) is not None
    assert the_rest(place) is None
    assert consider(place).turn == Play(place.seat, parse_code("2D"))


def test_the_robot_takes_tricks_without_points():
    gone = "AH 3H 4H 5H KH 6H 7H 8H QH 9H TH JH AS QS 2S 3S KD 3D 4D 5D QD 6D 7D 8D JD 9D 4S 5S"
    place = seen("AD 2D", f"3C AC 2H 4C 5C 6C 7C KC {gone}")
    assert consider(place).reason == "The rest are yours: lead A♦ and 2♦ in this order, and you win every trick."
    assert consider(place).expected == {"AD": 25.0}


def test_the_robot_considers_a_moon_that_would_lose_the_game():
    """Adding 26 ends the game with seat 1 below: as the rules stand, the shooter may do better."""
    place = seen(*ORDERED, totals=[99, 0, 90, 90])
    assert the_rest(place) is None
    assert the_rest(seen(*ORDERED, totals=[9, 0, 90, 90])) is not None


@of_every(range(150))
def test_the_predicted_points_of_the_rest_are_the_actual_ones(seed):
    rng = random.Random(seed)
    for game, claimed in claims_in(any_rules(rng), rng):
        rest = the_rest(position(view(game, claimed.seat)))
        if rest is None or rest.own is None:
            continue
        assert rest.claim == claimed
        after = by_claim(game, claimed, rng)
        side = claimed.seat % 2 if game.rules.partnership else claimed.seat
        if after.stage is Stage.MOON:
            assert rest.own in {score.points[side] for score in view(after, after.to_act[0]).moon.values()}
        else:
            assert rest.own == after.scores[-1].points[side], game.rules
            assert rest.moon == (after.scores[-1].moon == side)
