"""The review of a hand: an opinion on each decision, from what its seat saw, and the costliest ones."""

import json
import random
from dataclasses import replace

import pytest

from hearts.cards import QUEEN_OF_SPADES, Cards
from hearts.deal import deal
from hearts.game import IllegalTurn, apply, legal, new_game
from hearts.review import (
    NotAnOpinion,
    Opinion,
    alternative_text,
    costliest_card,
    opinion_mapping,
    parse_opinion,
    review,
    turning_points,
)
from hearts.robot import choose, consider, has_a_choice
from hearts.rules import PRESETS, preset_rules
from hearts.seats import Seat
from hearts.turns import Deal, Pass, Play
from hearts.view import view
from hearts.words import Sentence
from tests.hearts.builders import random_turn

FEW = 64


def hand(rules, seed, *, player=None):
    """The game before a hand, and the turns of the hand: random, or by a player."""
    rng, before = random.Random(seed), new_game(rules)
    turns = [deal(rules, Seat(0), rng)]
    game = apply(before, turns[0])
    while not game.scores:
        turns.append(player(view(game, game.to_act[0]), rng) if player else random_turn(game, rng, Seat(0)))
        game = apply(game, turns[-1])
    return before, turns


@pytest.mark.parametrize("preset", PRESETS)
def test_only_the_decisions_of_a_hand_have_an_opinion(preset):
    before, turns = hand(preset_rules(preset, players=PRESETS[preset].players[-1], moon="choice"), 1)
    opinions = {opinion.turn: opinion for opinion in review(before, turns, playouts=FEW)}
    game = before
    for number, turn in enumerate(turns, 1):
        asked = not isinstance(turn, Deal) and has_a_choice(view(game, turn.seat))
        assert (number in opinions) == (asked and not passes_a_pair(turn))
        if number in opinions:
            assert_tells_of(opinions[number], game, turn)
        game = apply(game, turn)


def passes_a_pair(turn):
    return isinstance(turn, Pass) and turn.cards != turn.cards.faces()


def assert_tells_of(opinion, game, turn):
    assert (opinion.seat, opinion.played) == (turn.seat, alternative_text(turn))
    assert opinion.trick == (0 if isinstance(turn, Pass) else game.trick)
    choice = consider(view(game, turn.seat), playouts=FEW, seed=opinion.turn)
    assert (opinion.better, opinion.reason) == (alternative_text(choice.turn), choice.why)
    assert opinion.cost == pytest.approx(max(0.0, opinion.played_points - opinion.better_points), abs=0.011)
    if opinion.played == opinion.better:
        assert opinion.cost == 0


def test_a_review_is_reproducible_and_a_seed_may_change_it():
    before, turns = hand(preset_rules("classic"), 2)
    once = review(before, turns, playouts=FEW, seed=5)
    assert review(before, turns, playouts=FEW, seed=5) == once
    assert review(before, turns, playouts=FEW, seed=6) != once


def keeps_the_queen(seed):
    """A hand by rule until a seat could discard the queen of spades, but throws a low card instead."""
    rng, before = random.Random(seed), new_game(preset_rules("rulebook"))
    turns = [deal(before.rules, Seat(0), rng)]
    game = apply(before, turns[0])
    while not game.scores:
        seat = game.to_act[0]
        turn = choose(view(game, seat), rng)
        low = legal(game, seat) & Cards.parse("2C 3C 4C 5C 2D 3D 4D 5D 2H 3H 4H 5H")
        if low and turn == Play(seat, QUEEN_OF_SPADES) and game.on_table and len(game.held[seat]) > 4:
            return before, [*turns, Play(seat, min(low))]
        turns.append(turn)
        game = apply(game, turn)
    return None


def test_keeping_the_queen_in_the_pass_is_a_turning_point():
    hands = [it for seed in range(60) if (it := keeps_the_queen(seed))][:3]
    opinions = [review(before, turns)[-1] for before, turns in hands]
    found = [it for it in opinions if it.better == "QS"]
    assert len(found) >= 2  # now and then there is a better use for the queen
    for last in found:
        assert last.cost >= 1.0
        assert "queen" in str(last.reason)
        assert turning_points([last]) == (last,)


def test_good_play_costs_less_than_random_play():
    good, bad = (
        sum(opinion.cost for opinion in review(*hand(preset_rules("classic"), 0, player=who), playouts=FEW))
        for who in (lambda seen, rng: consider(seen, playouts=200, seed=rng.getrandbits(30)).turn, None)
    )
    assert good < bad / 4


def opinion(cost, turn=9):
    return Opinion(turn, 2, Seat(1), "AS", "4S", 3.0 + cost, 3.0, cost, Sentence("Duck."))


def test_turning_points_are_the_costliest_decisions_above_a_threshold():
    costs = [0.4, 2.5, 0.99, 1.0, 7.0, 3.0]
    points = turning_points([opinion(cost) for cost in costs])
    assert [it.cost for it in points] == [7.0, 3.0, 2.5]
    assert [it.cost for it in turning_points([opinion(cost) for cost in costs], most=9)] == [7.0, 3.0, 2.5, 1.0]
    assert turning_points([]) == ()


@pytest.mark.parametrize(
    ("costs", "named"),
    [
        pytest.param([0.4, 4.0, 3.5], 4.0, id="half a point more than any other"),
        pytest.param([0.4, 4.0, 3.6], None, id="hardly more than another"),
        pytest.param([2.0], 2.0, id="two points"),
        pytest.param([0.2, 1.9], None, id="hardly anything"),
        pytest.param([], None, id="none at all"),
    ],
)
def test_a_card_is_named_only_if_it_clearly_cost_most(costs, named):
    found = costliest_card([opinion(cost) for cost in costs])
    assert (found and found.cost) == named


def test_no_pass_and_no_moon_is_named_as_card():
    card = opinion(3.0)
    others = [replace(card, trick=0, played="AS KS QS", cost=9.0), replace(card, trick=13, played="add", cost=20.0)]
    assert costliest_card([*others, card]) == card
    assert costliest_card(others) is None


def test_a_stopped_review_returns_its_opinions_so_far():
    before, turns = hand(preset_rules("classic"), 2)
    asked = iter([False] * 6)
    some = review(before, turns, playouts=FEW, stop=lambda: next(asked, True))
    assert some == review(before, turns, playouts=FEW)[: len(some)]
    assert 0 < len(some) <= 6


def test_illegal_turns_are_rejected():
    before, turns = hand(preset_rules("rulebook"), 2)
    with pytest.raises(IllegalTurn):
        review(before, [turns[0], turns[2]], playouts=FEW)


def test_an_opinion_can_be_written_and_read_back():
    for given in review(*hand(preset_rules("classic"), 3), playouts=FEW):
        assert parse_opinion(json.loads(json.dumps(opinion_mapping(given)))) == given


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"cost": "1"}, id="points that are no number"),
        pytest.param({"turn": 1.5}, id="a turn that is not an integer"),
        pytest.param({"seat": True}, id="a seat of another type"),
        pytest.param({"reason": None}, id="a reason of another type"),
        pytest.param({"colour": "red"}, id="a field that there is not"),
    ],
)
def test_a_mapping_without_an_opinion_is_rejected(change):
    with pytest.raises(NotAnOpinion):
        parse_opinion({**opinion_mapping(opinion(2.0)), **change})
    with pytest.raises(NotAnOpinion):
        parse_opinion({"turn": 3})
    with pytest.raises(NotAnOpinion):
        parse_opinion([])
    assert parse_opinion(opinion_mapping(replace(opinion(2.0), cost=2))).cost == 2
