"""The play of orders under each set of rules; none plays against its own words."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts.cards import JACK_OF_DIAMONDS, QUEEN_OF_SPADES, Cards, card_text, parse_code
from hearts.game import Game
from hearts.plans import Order, ordered
from hearts.plans.orders import EVERY_ORDER, is_last, points_on_table, wins_so_far
from hearts.play import winner
from hearts.robot import choose
from hearts.rules import Rules
from hearts.turns import Play
from hearts.view import View, view
from tests.hearts.plans.views import seen, views_of
from tests.hearts.strategies import any_rules

JACK = {"jack_points": -10}
TEAMS = {"preset": "partners"}
CROWD = {"preset": "cancellation", "players": 6, "cancellation": "pairs"}
NO_QUEEN = {"queen_points": 0}


@pytest.mark.parametrize(
    ("view", "card", "order"),
    [
        pytest.param(seen("KC 9C 3C", "TC"), "9C", Order.DUCK, id="the highest card that loses"),
        pytest.param(seen("KC QC", "JC"), "QC", Order.WIN, id="no card loses, and others follow: the lowest"),
        pytest.param(seen("KC QC", "JC 2H 4C"), "KC", Order.WIN, id="no card loses, and nobody follows: the highest"),
        pytest.param(seen("KC 9C", "TC 2C 4C"), "KC", Order.TAKE, id="last, no points: take it high"),
        pytest.param(seen("KC 9C", "TC 2H 4C"), "9C", Order.DUCK, id="last, but there are points"),
        pytest.param(seen("KH 3H", "4H 5H 2H"), "3H", Order.DUCK, id="hearts are points"),
        pytest.param(seen("AS QS", "KS 2S"), "QS", Order.DUCK, id="the queen goes under the king"),
        pytest.param(seen("QS AS", "JS 2S 3S"), "AS", Order.TAKE, id="the queen does not take an empty trick"),
        pytest.param(seen("QS KS", "JS"), "KS", Order.WIN, id="the queen wins only alone"),
        pytest.param(seen("QS", "JS"), "QS", Order.WIN, id="the queen alone"),
        pytest.param(seen("QS KS", "JS", rules=NO_QUEEN), "QS", Order.WIN, id="a queen that does not count"),
        pytest.param(seen("QS AH 2D", "TC"), "QS", Order.QUEEN, id="out with the queen"),
        pytest.param(seen("AS AH 2D", "TC"), "AS", Order.SPADES, id="the queen is out: the ace of spades"),
        pytest.param(seen("KS AH 2D", "TC"), "KS", Order.SPADES, id="the queen is out: the king of spades"),
        pytest.param(seen("AS AH 2D", "TC", played="QS"), "AH", Order.HEARTS, id="the queen was played"),
        pytest.param(seen("KH 4H 2D", "TC"), "KH", Order.HEARTS, id="the highest heart"),
        pytest.param(seen("9D 4D 8S", "TC"), "8S", Order.SHORT, id="the shortest suit"),
        pytest.param(seen("9D 4D 8S 3S", "TC"), "9D", Order.SHORT, id="of two equally short suits the highest card"),
        pytest.param(seen("JD AD", "2D TD 3D", rules=JACK), "JD", Order.CATCH, id="the jack itself wins"),
        pytest.param(seen("AD 3D", "2D JD 4D", rules=JACK), "AD", Order.CATCH, id="the ace catches the jack"),
        pytest.param(seen("AD 3D", "2D JD QS", rules=JACK), "3D", Order.DUCK, id="not together with the queen"),
        pytest.param(seen("AD 3D", "JD", rules=JACK), "3D", Order.DUCK, id="not before others have played"),
        pytest.param(seen("JD 5D", "QD", rules=JACK), "5D", Order.DUCK, id="the jack is kept"),
        pytest.param(seen("JD", "QD", rules=JACK), "JD", Order.DUCK, id="the jack alone"),
        pytest.param(seen("JD 5D 2C 3C", "TS", rules=JACK), "5D", Order.SHORT, id="the jack is no discard"),
        pytest.param(seen("QS 2D", "2C AC 3C", rules=TEAMS), "2D", Order.SHORT, id="no queen for a partner"),
        pytest.param(seen("QS 2D", "AC 2C 3C", rules=TEAMS), "QS", Order.QUEEN, id="the queen for an opponent"),
        pytest.param(seen("AH 2D", "2C AC 3C", rules=TEAMS), "2D", Order.SHORT, id="no heart for a partner"),
        pytest.param(seen("KC 9C", "KC 2C", rules=CROWD), "KC", Order.DUCK, id="a card that cancels loses"),
        pytest.param(seen("KC 9C", "QC QC 2C 3C 4C", rules=CROWD), "KC", Order.TAKE, id="cancelled cards do not win"),
    ],
)
def test_the_first_order_that_fits_decides(view: View, card: str, order: Order) -> None:
    assert ordered(view, EVERY_ORDER) == (parse_code(card), order)


@pytest.mark.parametrize(
    ("view", "off", "card"),
    [
        pytest.param(seen("KC 9C", "TC 2C 4C"), {Order.TAKE}, "9C", id="without taking, duck"),
        pytest.param(seen("KC 9C", "TC"), {Order.DUCK}, None, id="without ducking, ask"),
        pytest.param(seen("KC QC", "JC"), {Order.WIN}, None, id="a trick that must be won"),
        pytest.param(seen("QS AH 2D", "TC"), {Order.QUEEN, Order.SPADES}, "AH", id="keep the queen"),
        pytest.param(seen("QS AH 2D", "TC"), {Order.QUEEN, Order.HEARTS, Order.SHORT}, None, id="no discards"),
        pytest.param(seen("KC 9C"), {Order.LEAD}, None, id="leads are asked"),
    ],
)
def test_an_order_that_is_off_is_passed_over(view: View, off: set[Order], card: str | None) -> None:
    found = ordered(view, EVERY_ORDER - off)
    assert (found and card_text(found.card)) == card


ORDERS = st.sets(st.sampled_from(Order)).map(frozenset)


def keeps_its_words(view: View, card: int, order: Order) -> bool:
    """Whether `card` is what the docstring of `order` says, checked against the rules of play by other means."""
    cards = view.trick.cards if view.trick else ()
    wins = winner((*cards, card), view.rules) == len(cards)
    losers = {one for one in view.legal if winner((*cards, one), view.rules) != len(cards)}
    penalty = view.rules.penalty_cards
    match order:
        case Order.CATCH:
            return wins and JACK_OF_DIAMONDS in (*cards, card) and len(cards) == view.rules.players - 1
        case Order.TAKE:
            return wins and not any(one in penalty for one in (*cards, card))
        case Order.DUCK:
            higher = [one for one in losers if one > card]
            return card in losers and not set(higher) - {JACK_OF_DIAMONDS, QUEEN_OF_SPADES}
        case Order.WIN:
            return not losers
        case Order.QUEEN:
            return card == QUEEN_OF_SPADES
        case Order.SPADES:
            return card_text(card) in ("AS", "KS") and (view.rules.packs == 2 or QUEEN_OF_SPADES not in view.held)
        case Order.HEARTS:
            return card == max(one for one in view.legal if card_text(one)[1] == "H")
        case Order.SHORT:
            return card_text(card)[1] != card_text(cards[0])[1]
        case Order.LEAD:
            return not cards and Play(view.seat, card) == choose(view, random.Random(9))


@settings(max_examples=60)
@given(any_rules(), st.integers(0, 2**32), st.booleans(), ORDERS)
def test_an_order_is_legal_and_keeps_its_words_everywhere(rules, seed, well, orders) -> None:
    for _, seen_now in views_of(rules, seed, well=well):
        found = ordered(seen_now, orders)
        if found is not None:
            assert found.card in seen_now.legal
            assert found.order in orders
            assert keeps_its_words(seen_now, found.card, found.order), (found, seen_now)


def swapped(game: Game, view_before: View) -> Game:
    """The game with the cards of all other seats, and of the deal, handed round."""
    me = view_before.seat
    others = [seat for seat in range(game.rules.players) if seat != me]
    hands = dict(zip(others, [*others[1:], others[0]], strict=True))
    new = game.copy()
    new.held_masks = tuple(game.held_masks[hands.get(seat, seat)] for seat in range(game.rules.players))
    return new


@settings(max_examples=20)
@given(st.integers(0, 2**32))
def test_an_order_sees_no_more_than_its_seat(seed) -> None:
    for game, seen_now in views_of(Rules(), seed):
        there = view(swapped(game, seen_now), seen_now.seat)
        assert ordered(there, EVERY_ORDER) == ordered(seen_now, EVERY_ORDER)


def test_helpers_agree_with_the_trick() -> None:
    last = seen("KC 9C", "TC 2H 4C")
    assert is_last(last)
    assert points_on_table(last)
    assert [wins_so_far(last, card) for card in Cards.parse("9C KC")] == [False, True]
    assert not is_last(replace(last, trick=None))
