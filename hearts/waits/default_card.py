"""The card that is played for a seat whose choice hardly matters, as a function of what the seat sees.

It fits every set of rules: partners are spared, the jack of diamonds is wanted where it counts, and with two packs a
card that cancels does not win.
"""

import random
from typing import Final

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

_HIGH_SPADES: Final = Cards.of((parse_code("AS"), parse_code("KS")))


def default_card(view: View) -> Card:
    """The card to play for the seat, whose turn it must be.

    It leads as the rule player does, follows as high as it may without points, and discards what is most dangerous.
    """
    if view.trick is None:
        return _lead(view)
    follows = view.legal & in_suit(suit(view.trick.cards[0]))
    ways = (_catch, _take, _duck, _win) if follows else (_queen, _spades, _hearts, _short)
    return next(card for find in ways if (card := find(view)) is not None)


def wins_so_far(view: View, card: Card) -> bool:
    """Whether the trick would go to this seat if it ended with `card`."""
    cards = view.trick.cards if view.trick else ()
    return winner((*cards, card), view.rules) == len(cards)


def _is_last(view: View) -> bool:
    """Whether the seat's card ends the trick."""
    return view.trick is not None and len(view.trick.cards) == view.rules.players - 1


def _queen_is_out(view: View) -> bool:
    """Whether another player may hold a queen of spades that counts."""
    if not view.rules.queen_points:
        return False
    unseen = pack(view.rules) - view.held - Cards.of(view.plays) - (view.kitty or NONE)
    return QUEEN_OF_SPADES in unseen


def _points_on_table(view: View) -> bool:
    """Whether there are penalty cards in the trick."""
    return view.trick is not None and any(card in view.rules.penalty_cards for card in view.trick.cards)


def _lead(view: View) -> Card:
    turn = choose(view, random.Random(0))
    assert isinstance(turn, Play)
    return turn.card


def _catch(view: View) -> Card | None:
    """Last in a trick: wins the jack of diamonds, where it counts and the queen of spades is not in it."""
    assert view.trick is not None
    if not view.rules.jack_points or not _is_last(view) or _is_partners(view):
        return None
    if view.rules.queen_points and QUEEN_OF_SPADES in view.trick.cards:
        return None
    winners = [card for card in view.legal if wins_so_far(view, card)]
    if JACK_OF_DIAMONDS in winners:
        return JACK_OF_DIAMONDS
    is_there = view.trick.cards.count(JACK_OF_DIAMONDS) == 1
    return max(winners, default=None) if is_there else None


def _take(view: View) -> Card | None:
    """Last in a trick without points: takes it, with the highest card that is free of points."""
    if not _is_last(view) or _points_on_table(view):
        return None
    free = view.legal - view.rules.penalty_cards
    return max((card for card in free if wins_so_far(view, card)), default=None)


def _duck(view: View) -> Card | None:
    """Plays the highest card that loses; the jack of diamonds, where it counts, only if there is no other."""
    losers = [card for card in view.legal if not wins_so_far(view, card)]
    if view.rules.jack_points:
        losers = [card for card in losers if card != JACK_OF_DIAMONDS] or losers
    if view.rules.queen_points and _is_partners(view):
        losers = [card for card in losers if card != QUEEN_OF_SPADES] or losers
    return max(losers, default=None)


def _win(view: View) -> Card:
    """Every card wins: plays the highest if last in the trick, else the lowest; the queen of spades only alone."""
    cards = [card for card in view.legal if card != QUEEN_OF_SPADES or not view.rules.queen_points] or [*view.legal]
    return max(cards) if _is_last(view) else min(cards)


def _queen(view: View) -> Card | None:
    """Discards the queen of spades, but not on a partner's trick."""
    is_wanted = view.rules.queen_points and QUEEN_OF_SPADES in view.legal and not _is_partners(view)
    return QUEEN_OF_SPADES if is_wanted else None


def _spades(view: View) -> Card | None:
    """Discards the ace or the king of spades while another player may hold the queen."""
    return max(view.legal & _HIGH_SPADES, default=None) if _queen_is_out(view) else None


def _hearts(view: View) -> Card | None:
    """Discards the highest heart, but not on a partner's trick."""
    return None if _is_partners(view) else max(view.legal & HEARTS, default=None)


def _short(view: View) -> Card:
    """Discards the highest card of the shortest suit, without points if there is one."""
    cards = view.legal
    if view.rules.jack_points:
        cards = cards - Cards.of((JACK_OF_DIAMONDS,)) or cards
    if _is_partners(view):
        cards = cards - view.rules.penalty_cards or cards
    free = cards - view.rules.penalty_cards or cards
    return min(free, key=lambda card: (len(view.held & in_suit(suit(card))), -rank(card), card))


def _is_partners(view: View) -> bool:
    """Whether the trick so far goes to the seat's partner."""
    if not view.rules.partnership or view.trick is None:
        return False
    first = winner(view.trick.cards, view.rules)
    if first is None:
        return False
    seat = Seat((view.trick.leader + first) % view.rules.players)
    return side_of(seat, partnership=True) == side_of(view.seat, partnership=True)
