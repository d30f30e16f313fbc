"""Orders: what a player wants played where their plan plays, as functions of what their seat sees.

The orders that are on are tried one after the other, and the first that fits decides. Where none fits, the player is
asked. They hold for every set of rules: partners are spared, the jack of diamonds is wanted where it counts, and with
two packs a card that cancels does not win.
"""

import random
from collections.abc import Callable, Collection, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from hearts.cards import (
    HEARTS,
    JACK_OF_DIAMONDS,
    NONE,
    QUEEN_OF_SPADES,
    Card,
    Cards,
    in_suit,
    parse_code,
    rank,
    suit,
)
from hearts.deal import pack
from hearts.play import winner
from hearts.robot import choose
from hearts.seats import Seat, side_of
from hearts.turns import Play
from hearts.view import View


class Order(StrEnum):
    """An order of a plan. They are tried in this order."""

    CATCH = "catch"
    """Last in a trick: win the jack of diamonds, where it counts and the queen of spades is not in it."""
    TAKE = "take"
    """Last in a trick without points: take it, with the highest card that is free of points."""
    DUCK = "duck"
    """Play the highest card that loses; the jack of diamonds, where it counts, only if there is no other."""
    WIN = "win"
    """Play, if every card wins, the highest if last in the trick, else the lowest; the queen of spades only alone."""
    QUEEN = "queen"
    """Discard the queen of spades, but not on a partner's trick."""
    SPADES = "spades"
    """Discard the ace or the king of spades while another player may hold the queen."""
    HEARTS = "hearts"
    """Discard the highest heart, but not on a partner's trick."""
    SHORT = "short"
    """Discard the highest card of the shortest suit, without points if there is one."""
    LEAD = "lead"
    """Lead what a robot of level `rule` would lead."""


EVERY_ORDER: Final = frozenset(Order)
_HIGH_SPADES: Final = Cards.of((parse_code("AS"), parse_code("KS")))


class Ordered(NamedTuple):
    """A card, and the order that it follows."""

    card: Card
    order: Order


def ordered(view: View, orders: Collection[Order]) -> Ordered | None:
    """The card by the first of `orders` that fits; None if none does. It must be the seat's turn to play."""
    if view.trick is None:
        return Ordered(_lead(view), Order.LEAD) if Order.LEAD in orders else None
    follows = view.legal & in_suit(suit(view.trick.cards[0]))
    for order, find in (_FOLLOWING if follows else _DISCARDING).items():
        if order in orders and (card := find(view)) is not None:
            return Ordered(card, order)
    return None


def wins_so_far(view: View, card: Card) -> bool:
    """Whether the trick would go to this seat if it ended with `card`."""
    cards = view.trick.cards if view.trick else ()
    return winner((*cards, card), view.rules) == len(cards)


def is_last(view: View) -> bool:
    """Whether the seat's card ends the trick."""
    return view.trick is not None and len(view.trick.cards) == view.rules.players - 1


def queen_is_out(view: View) -> bool:
    """Whether another player may hold a queen of spades that counts."""
    if not view.rules.queen_points:
        return False
    unseen = pack(view.rules) - view.held - Cards.of(view.plays) - (view.kitty or NONE)
    return QUEEN_OF_SPADES in unseen


def points_on_table(view: View) -> bool:
    """Whether there are penalty cards in the trick."""
    return view.trick is not None and any(card in view.rules.penalty_cards for card in view.trick.cards)


def _lead(view: View) -> Card:
    turn = choose(view, random.Random(0))
    assert isinstance(turn, Play)
    return turn.card


def _catch(view: View) -> Card | None:
    assert view.trick is not None
    if not view.rules.jack_points or not is_last(view) or _is_partners(view):
        return None
    if view.rules.queen_points and QUEEN_OF_SPADES in view.trick.cards:
        return None
    winners = [card for card in view.legal if wins_so_far(view, card)]
    if JACK_OF_DIAMONDS in winners:
        return JACK_OF_DIAMONDS
    is_there = view.trick.cards.count(JACK_OF_DIAMONDS) == 1
    return max(winners, default=None) if is_there else None


def _take(view: View) -> Card | None:
    if not is_last(view) or points_on_table(view):
        return None
    free = view.legal - view.rules.penalty_cards
    return max((card for card in free if wins_so_far(view, card)), default=None)


def _duck(view: View) -> Card | None:
    losers = [card for card in view.legal if not wins_so_far(view, card)]
    if view.rules.jack_points:
        losers = [card for card in losers if card != JACK_OF_DIAMONDS] or losers
    if view.rules.queen_points and _is_partners(view):
        losers = [card for card in losers if card != QUEEN_OF_SPADES] or losers
    return max(losers, default=None)


def _win(view: View) -> Card | None:
    if not all(wins_so_far(view, card) for card in view.legal):
        return None
    cards = [card for card in view.legal if card != QUEEN_OF_SPADES or not view.rules.queen_points] or [*view.legal]
    return max(cards) if is_last(view) else min(cards)


def _queen(view: View) -> Card | None:
    is_wanted = view.rules.queen_points and QUEEN_OF_SPADES in view.legal and not _is_partners(view)
    return QUEEN_OF_SPADES if is_wanted else None


def _spades(view: View) -> Card | None:
    return max(view.legal & _HIGH_SPADES, default=None) if queen_is_out(view) else None


def _hearts(view: View) -> Card | None:
    return None if _is_partners(view) else max(view.legal & HEARTS, default=None)


def _short(view: View) -> Card | None:
    cards = view.legal
    if view.rules.jack_points:
        cards = cards - Cards.of((JACK_OF_DIAMONDS,)) or cards
    if _is_partners(view):
        cards = cards - view.rules.penalty_cards or cards
    free = cards - view.rules.penalty_cards or cards
    return min(free, key=lambda card: (len(view.held & in_suit(suit(card))), -rank(card), card), default=None)


def _is_partners(view: View) -> bool:
    """Whether the trick so far goes to the seat's partner."""
    if not view.rules.partnership or view.trick is None:
        return False
    first = winner(view.trick.cards, view.rules)
    if first is None:
        return False
    seat = Seat((view.trick.leader + first) % view.rules.players)
    return side_of(seat, partnership=True) == side_of(view.seat, partnership=True)


_Find = Callable[[View], Card | None]
_FOLLOWING: Final[Mapping[Order, _Find]] = {
    Order.CATCH: _catch,
    Order.TAKE: _take,
    Order.DUCK: _duck,
    Order.WIN: _win,
}
_DISCARDING: Final[Mapping[Order, _Find]] = {
    Order.QUEEN: _queen,
    Order.SPADES: _spades,
    Order.HEARTS: _hearts,
    Order.SHORT: _short,
}
