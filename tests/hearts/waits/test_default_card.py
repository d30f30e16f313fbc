"""The default card under each set of rules."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts.cards import JACK_OF_DIAMONDS, QUEEN_OF_SPADES, Cards, card_text
from hearts.game import Game
from hearts.play import winner
from hearts.robot import choose
from hearts.rules import Rules
from hearts.turns import Play
from hearts.view import View, view
from hearts.waits import default_card
from hearts.waits.default_card import wins_so_far
from tests.hearts.strategies import any_rules
from tests.hearts.views import seen, views_of

JACK = {"jack_points": -10}
TEAMS = {"preset": "partners"}
CROWD = {"preset": "cancellation", "players": 6, "cancellation": "pairs"}
NO_QUEEN = {"queen_points": 0}


@pytest.mark.parametrize(
    ("view", "card"),
    [
        pytest.param(seen("KC 9C 3C", "TC"), "9C", id="the highest card that loses"),
        pytest.param(seen("KC QC", "JC"), "QC", id="no card loses, and others follow: the lowest"),
        pytest.param(seen("KC QC", "JC 2H 4C"), "KC", id="no card loses, and nobody follows: the highest"),
        pytest.param(seen("KC 9C", "TC 2C 4C"), "KC", id="last, no points: take it high"),
        pytest.param(seen("KC 9C", "TC 2H 4C"), "9C", id="last, but there are points"),
        pytest.param(seen("KH 3H", "4H 5H 2H"), "3H", id="hearts are points"),
        pytest.param(seen("AS QS", "KS 2S"), "QS", id="the queen goes under the king"),
        pytest.param(seen("QS AS", "JS 2S 3S"), "AS", id="the queen does not take an empty trick"),
        pytest.param(seen("QS KS", "JS"), "KS", id="the queen wins only alone"),
        pytest.param(seen("QS", "JS"), "QS", id="the queen alone"),
        pytest.param(seen("QS KS", "JS", rules=NO_QUEEN), "QS", id="a queen that does not count"),
        pytest.param(seen("QS AH 2D", "TC"), "QS", id="out with the queen"),
        pytest.param(seen("AS AH 2D", "TC"), "AS", id="the queen is out: the ace of spades"),
        pytest.param(seen("KS AH 2D", "TC"), "KS", id="the queen is out: the king of spades"),
        pytest.param(seen("AS AH 2D", "TC", played="QS"), "AH", id="the queen was played"),
        pytest.param(seen("KH 4H 2D", "TC"), "KH", id="the highest heart"),
        pytest.param(seen("9D 4D 8S", "TC"), "8S", id="the shortest suit"),
        pytest.param(seen("9D 4D 8S 3S", "TC"), "9D", id="of two equally short suits the highest card"),
        pytest.param(seen("JD AD", "2D TD 3D", rules=JACK), "JD", id="the jack itself wins"),
        pytest.param(seen("AD 3D", "2D JD 4D", rules=JACK), "AD", id="the ace catches the jack"),
        pytest.param(seen("AD 3D", "2D JD QS", rules=JACK), "3D", id="not together with the queen"),
        pytest.param(seen("AD 3D", "JD", rules=JACK), "3D", id="not before others have played"),
        pytest.param(seen("JD 5D", "QD", rules=JACK), "5D", id="the jack is kept"),
        pytest.param(seen("JD", "QD", rules=JACK), "JD", id="the jack alone"),
        pytest.param(seen("JD 5D 2C 3C", "TS", rules=JACK), "5D", id="the jack is no discard"),
        pytest.param(seen("QS 2D", "2C AC 3C", rules=TEAMS), "2D", id="no queen for a partner"),
        pytest.param(seen("QS 2D", "AC 2C 3C", rules=TEAMS), "QS", id="the queen for an opponent"),
        pytest.param(seen("AH 2D", "2C AC 3C", rules=TEAMS), "2D", id="no heart for a partner"),
        pytest.param(seen("KC 9C", "KC 2C", rules=CROWD), "KC", id="a card that cancels loses"),
        pytest.param(seen("KC 9C", "QC QC 2C 3C 4C", rules=CROWD), "KC", id="cancelled cards do not win"),
    ],
)
def test_the_default_card_fits_the_trick_and_the_rules(view: View, card: str) -> None:
    assert card_text(default_card(view)) == card


def is_sensible(view: View, card: int) -> bool:
    """Whether `card` is what the docstrings say, checked against the rules of play by other means."""
    if view.trick is None:
        return Play(view.seat, card) == choose(view, random.Random(9))
    cards, penalty = view.trick.cards, view.rules.penalty_cards
    losers = {one for one in view.legal if winner((*cards, one), view.rules) != len(cards)}
    follows = card_text(card)[1] == card_text(cards[0])[1]
    if not follows or card in losers:
        spared = {JACK_OF_DIAMONDS, QUEEN_OF_SPADES}
        return not follows or not {one for one in losers if one > card} - spared
    is_last = len(cards) == view.rules.players - 1
    is_free = not any(one in penalty for one in (*cards, card))
    return not losers or (is_last and (is_free or JACK_OF_DIAMONDS in (*cards, card)))


@settings(max_examples=60)
@given(any_rules(), st.integers(0, 2**32), st.booleans())
def test_the_default_card_is_legal_and_sensible_under_all_rules(rules, seed, well) -> None:
    for _, seen_now in views_of(rules, seed, well=well):
        card = default_card(seen_now)
        assert card in seen_now.legal
        assert is_sensible(seen_now, card), (card_text(card), seen_now)


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
def test_the_default_card_depends_on_the_seat_s_view_alone(seed) -> None:
    for game, seen_now in views_of(Rules(), seed):
        there = view(swapped(game, seen_now), seen_now.seat)
        assert default_card(there) == default_card(seen_now)


def test_the_card_that_wins_so_far_is_known() -> None:
    last = seen("KC 9C", "TC 2H 4C")
    assert [wins_so_far(last, card) for card in Cards.parse("9C KC")] == [False, True]
