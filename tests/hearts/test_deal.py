"""Dealing: the pack of each number of players, and the rotation of passing."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.cards import Cards
from hearts.deal import (
    cards_each,
    deal,
    dealer_after,
    dealt_together,
    direction,
    kitty_size,
    one_round,
    pack,
    receiver,
)
from hearts.game import IllegalTurn, apply, new_game
from hearts.rules import preset_rules
from hearts.turns import Deal
from tests.hearts.builders import game_after, rules_of
from tests.hearts.strategies import any_rules

WHOLE = Cards(2**52 - 1)


@pytest.mark.parametrize(
    ("players", "removed", "each", "kitty", "each_with_kitty"),
    [
        (3, "2D", 17, 1, 17),
        (4, "", 13, 4, 12),
        (5, "2C 2D", 10, 2, 10),
        (6, "2D 3D 3C 4C", 8, 4, 8),
        (7, "2D 3D 3C", 7, 3, 7),
    ],
)
def test_removed_cards_or_a_kitty_let_one_pack_deal_evenly(players, removed, each, kitty, each_with_kitty):
    rules = rules_of(players=players)
    assert pack(rules) == WHOLE - Cards.parse(removed)
    assert (cards_each(rules), kitty_size(rules)) == (each, 0)
    with_kitty = rules_of(players=players, kitty="first-heart")
    assert pack(with_kitty) == WHOLE
    assert (cards_each(with_kitty), kitty_size(with_kitty)) == (each_with_kitty, kitty)


@pytest.mark.parametrize(("players", "kitty"), [(6, 2), (7, 6), (8, 0), (9, 5), (10, 4), (11, 5)])
def test_two_packs_are_dealt_as_evenly_as_possible(players, kitty):
    rules = preset_rules("cancellation", players=players)
    assert pack(rules) == WHOLE + WHOLE
    assert kitty_size(rules) == kitty
    assert cards_each(rules) == (104 - kitty) // players


@given(any_rules(), st.integers(0, 2**32))
def test_a_random_deal_is_accepted_and_determined_by_its_seed(rules, seed):
    turn = deal(rules, 0, random.Random(seed))
    assert apply(new_game(rules), turn).hand == 1
    assert turn == deal(rules, 0, random.Random(seed))


@pytest.mark.parametrize(
    ("preset", "players", "hands"),
    [
        pytest.param("classic", 4, 4, id="left, right, across, keep"),
        pytest.param("classic", 5, 3, id="an odd number of players: nothing goes across"),
        pytest.param("traditional", 4, 3, id="left, right, across"),
        pytest.param("omnibus", 3, 2, id="left, right"),
        pytest.param("rulebook", 5, 5, id="nothing is passed: everybody deals once"),
        pytest.param("cancellation", 8, 2, id="two packs"),
    ],
)
def test_a_round_has_a_hand_for_each_passing_direction(preset, players, hands):
    assert one_round(preset_rules(preset, players=players)) == hands


@pytest.mark.parametrize(
    ("limit", "at_once", "cycles"),
    [
        pytest.param(0, 1, [[1], [2], [3]], id="one by one"),
        pytest.param(0, 4, [[1, 2, 3, 4], [5, 6, 7, 8]], id="no limit"),
        pytest.param(4, 4, [[1, 2, 3, 4], [5], [6], [7]], id="one round, then one by one"),
        pytest.param(6, 4, [[1, 2, 3, 4], [5, 6], [7], [8]], id="fewer are left"),
        pytest.param(2, 3, [[1, 2], [3]], id="fewer than in a cycle"),
        pytest.param(4, 1, [[1], [2], [3], [4], [5]], id="one by one with a limit"),
    ],
)
def test_hands_are_dealt_together_as_far_as_the_limit(limit, at_once, cycles):
    for cycle in cycles:
        for hand in cycle:
            assert list(dealt_together(rules_of(hands=limit), at_once, hand)) == cycle


@pytest.mark.parametrize(
    ("passing", "players", "hands"),
    [
        ("left-right-across-keep", 4, "left right across keep left right across keep"),
        ("left-right-across", 4, "left right across left"),
        ("left-right-keep", 4, "left right keep left"),
        ("left-right", 4, "left right left"),
        ("left", 4, "left left"),
        ("right", 4, "right right"),
        ("none", 4, "keep keep"),
        pytest.param("left-right-across-keep", 3, "left right keep left", id="odd: across drops out"),
        pytest.param("left-right-across", 5, "left right left", id="odd: across drops out of three"),
        ("left-right-across-keep", 6, "left right across keep"),
        ("none", 5, "keep keep"),
    ],
)
def test_passing_rotates_over_the_hands(passing, players, hands):
    rules = rules_of(players=players, passing=passing)
    assert [direction(rules, number) for number, _ in enumerate(hands.split(), 1)] == hands.split()


@pytest.mark.parametrize(("to", "receives"), [("left", 3), ("right", 1), ("across", 5), ("keep", 2)])
def test_left_is_the_next_seat_and_across_half_the_table(to, receives):
    assert receiver(2, to, 6) == receives


def test_the_deal_moves_one_seat_to_the_left():
    assert [dealer_after(seat, rules_of()) for seat in range(4)] == [1, 2, 3, 0]


GOOD = deal(rules_of(), 3, random.Random(1))


@pytest.mark.parametrize(
    ("turn", "sentence"),
    [
        (Deal(4, GOOD.held, GOOD.kitty), "seat 4 may not deal: there are seats 0 to 3"),
        (Deal(-1, GOOD.held, GOOD.kitty), "seat -1 may not deal"),
        (Deal(3, GOOD.held[:3], GOOD.kitty), "cards are dealt to 3 seats, not 4"),
        (Deal(3, (*GOOD.held, Cards()), GOOD.kitty), "cards are dealt to 5 seats, not 4"),
        (Deal(3, GOOD.held, Cards.parse("QS")), "the cards left over must be 0, not 1"),
        (
            Deal(3, (GOOD.held[0].without(next(iter(GOOD.held[0]))), *GOOD.held[1:]), Cards()),
            "seat 0 is dealt 12 cards, not 13",
        ),
        (
            Deal(3, (GOOD.held[0], GOOD.held[0], *GOOD.held[2:]), Cards()),
            "the cards are not the pack: .. is there 2 times, not 1",
        ),
        (Deal(3, (GOOD.held[0], GOOD.held[0], GOOD.held[0], GOOD.held[3]), Cards()), "2C is there 0 times, not 1"),
    ],
)
def test_cards_that_do_not_make_up_the_pack_are_rejected(turn, sentence):
    with pytest.raises(IllegalTurn, match=sentence):
        apply(new_game(rules_of()), turn)


def test_no_hand_is_dealt_during_another():
    with pytest.raises(IllegalTurn, match="hand 1 is not finished"):
        apply(game_after(), GOOD)
