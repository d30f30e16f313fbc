"""The claims that a seat may make, all of which succeed."""

import random
from dataclasses import replace
from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts.cards import Cards, card_text, suit
from hearts.claim import claim, played_out
from hearts.deal import deal, pack
from hearts.game import IllegalTurn, Stage, apply, new_game
from hearts.robot.position import parse_position
from hearts.robot.reading import position
from hearts.rules import PRESETS, preset_rules
from hearts.seats import Seat
from hearts.view import view
from tests.hearts.builders import game_after, random_turn, rules_of
from tests.hearts.claims import by_claim, claims_in
from tests.hearts.positions import cards, table
from tests.hearts.strategies import any_rules

SEEDS = st.integers(0, 2**32)


def seen(held, plays, *, rules=None, **others):
    """The view of seat 0 in the middle of a hand in which it led and won every trick."""
    fields = {"rules": rules or {}, "hand": 4, "dealer": 2, "seat": 0, "stage": "play", "pass": "keep", **others}
    totals = [0] * fields["rules"].get("players", 4)
    return parse_position({"totals": totals, "leader": 0 if plays else None, "held": held, "plays": plays, **fields})


CANCELLING = {"preset": "cancellation", "players": 6, "cancellation": "pairs"}


@table("claim", held=cards, plays=cards, order=str)
def test_a_seat_may_claim_exactly_what_it_must_win(options, held, plays, order):
    claimed = claim(seen(held, plays, rules=options))
    assert (" ".join(map(card_text, claimed.cards)) if claimed else "none") == order


@pytest.mark.parametrize(
    ("rules", "held", "claimed"),
    [
        pytest.param(CANCELLING, "AD AD", True, id="both aces: nothing cancels either"),
        pytest.param(CANCELLING, "AD KD", False, id="the other ace cancels this one"),
        pytest.param({**CANCELLING, "cancellation": "two-pairs-void"}, "AD AD", False, id="two pairs void any trick"),
    ],
)
def test_a_lead_that_may_be_cancelled_is_not_claimed(rules, held, claimed):
    assert bool(claim(seen(held, "AC 2C 3C 4C 5C 6C", rules=rules))) == claimed


def test_the_kitty_allows_a_claim_once_everybody_is_void():
    """QD is out, but nobody can have it: all others threw clubs on diamonds, so it lies in the kitty."""
    rules = {"preset": "kitty", "players": 3}
    plays = "AC 2C 3C AD 2D 3D KD 4D 5D"
    assert claim(seen("JD TD", plays, rules=rules)) is None
    for lead in ("9D 4C 6D", "9D 6D 4C"):
        assert claim(seen("JD TD", f"{plays} {lead}", rules=rules)) is None
    assert claim(seen("JD TD", f"{plays} 9D 4C 5C", rules=rules)) is not None


def test_kitty_cards_that_the_seat_has_collected_are_not_out():
    rules = {"preset": "kitty", "players": 3}
    assert claim(seen("KD QD", "AC 2C 3C", rules=rules)) is None
    assert claim(seen("KD QD", "AC 2C 3H", rules=rules, kitty="AD")) is not None


@pytest.mark.parametrize(("out", "claimed"), [("2C 2C 3S", True), ("2C 2C 3S 3S", False), ("2D 2D 3S 3S", False)])
def test_cancelling_pairs_prevent_a_claim_only_if_both_are_out(out, claimed):
    rules = preset_rules("cancellation", players=6)
    gone = pack(rules) - Cards.parse(out) - Cards.parse("AD AD")
    place = replace(position(view(game_after(rules=rules), Seat(1))), plays=tuple(gone)[: len(gone) // 6 * 6])
    extra = Cards.of(tuple(gone)[len(gone) // 6 * 6 :])
    mine = Cards.parse("AD AD")
    assert bool(claim(replace(place, held=mine, legal=mine, kitty=extra))) == claimed


@pytest.mark.parametrize(
    ("held", "any_order"),
    [
        pytest.param("AD JC", True, id="nothing over either"),
        pytest.param("AD 2D JC", False, id="the ace must draw the last diamond first"),
    ],
)
def test_a_claim_says_whether_the_order_matters(held, any_order):
    place = seen(held, cards("AC 2C-4C KC 5C-7C QC 8C-TC KD 3D-5D QD 6D-8D JD 9D 2S 3S"))
    assert claim(place).any_order == any_order


@pytest.mark.parametrize("plays", ["AC 2C 3C 4C KC", "AC 2C 3C 4C KC 5C"])
def test_only_the_seat_on_lead_may_claim(plays):
    seat = len(plays.split()) - 4
    assert claim(seen("AD KD", plays, seat=seat)) is None


def test_a_view_and_a_position_give_the_same_claim():
    for seed in range(30):
        for game, claimed in claims_in(rules_of(), random.Random(seed)):
            assert claim(position(view(game, claimed.seat))) == claimed


def test_a_claim_is_played_out_by_its_own_seat_only():
    game, claimed = next(claims_in(rules_of(), random.Random(2)))
    after = apply(game, next(played_out(game, claimed)))
    for wrong in (after, game_after("2C 5C 6C 7C")):
        with pytest.raises(IllegalTurn, match=f"seat {claimed.seat} may not claim"):
            next(played_out(wrong, claimed))


def points_of(game):
    """The points of the hand, for each way to count a moon."""
    return view(game, game.to_act[0]).moon if game.stage is Stage.MOON else game.scores[-1].points


def assert_comes_off(game, claimed, rng, times):
    for turn in played_out(game, claimed):
        last = turn
    after_claim = game
    for turn in played_out(game, claimed):
        after_claim = apply(after_claim, turn)
    assert after_claim.all_played
    assert last.seat != claimed.seat
    for _ in range(times):
        after = by_claim(game, claimed, rng)
        assert set(after.won[len(game.won) :]) == {claimed.seat}, (game.rules, claimed)
        assert points_of(after) == points_of(after_claim)


def ends(rng):
    """The view of a seat on lead with two cards left, one pack, four players, and every card allowed."""
    game = apply(new_game(rules_of()), deal(rules_of(), Seat(0), rng))
    while len(game.won) < 11 or game.on_table:
        game = apply(game, random_turn(game, rng, Seat(0)))
    return view(game, game.to_act[0])


def sure(seen):
    """Whether some order of two leads wins both tricks for every deal and play of the unseen cards."""
    unseen = list(pack(seen.rules) - seen.held - Cards.of(seen.plays))
    orders = [order for order in permutations(seen.held) if order[0] in seen.legal]
    return any(all(never_loses(order, hands) for hands in dealt_out(unseen)) for order in orders)


def dealt_out(unseen):
    for one in combinations(unseen, 2):
        rest = [card for card in unseen if card not in one]
        for two in combinations(rest, 2):
            yield one, two, tuple(card for card in rest if card not in two)


def never_loses(order, hands):
    for replies in product(*(following(order[0], hand) for hand in hands)):
        last = [card for hand, reply in zip(hands, replies, strict=True) for card in hand if card != reply]
        if any(over(order[0], card) for card in replies) or any(over(order[1], card) for card in last):
            return False
    return True


def following(led, hand):
    return [card for card in hand if suit(card) == suit(led)] or hand


def over(led, card):
    return suit(card) == suit(led) and card > led


def test_with_two_cards_left_every_certain_claim_is_found():
    rng = random.Random(1)
    views = [ends(rng) for _ in range(100)]
    claimed = [claim(seen) is not None for seen in views]
    assert claimed == list(map(sure, views))
    assert 10 < sum(claimed) < 90


@settings(max_examples=40)
@given(any_rules(), SEEDS)
def test_a_claim_succeeds_whatever_the_others_play(rules, seed):
    rng = random.Random(seed)
    for game, claimed in claims_in(rules, rng):
        assert_comes_off(game, claimed, rng, 4)


@pytest.mark.parametrize("preset", PRESETS)
def test_claims_succeed_in_every_preset(preset):
    found = 0
    for seed in range(12):
        rng = random.Random(seed)
        rules = preset_rules(preset, players=rng.choice(PRESETS[preset].players))
        for game, claimed in claims_in(rules, rng):
            found += 1
            assert_comes_off(game, claimed, rng, 6)
    assert found > 0
