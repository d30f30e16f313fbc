"""Dealing: which cards are in the game, who deals next, where a hand's passes go.

Source: the rules of play, "The pack", and the option `passing`. Chance is handed in.
"""

import random
from enum import StrEnum
from typing import Final

from hearts.cards import FACES, NONE, Cards
from hearts.rules import Kitty, Passing, Rules
from hearts.seats import Seat, across, left, right
from hearts.turns import Deal


class Direction(StrEnum):
    """Where a hand's passed cards go; `keep`: nowhere."""

    LEFT = "left"
    RIGHT = "right"
    ACROSS = "across"
    KEEP = "keep"


_ONE_PACK: Final = Cards.of(FACES)
_REMOVED: Final = {
    3: Cards.parse("2D"),
    4: NONE,
    5: Cards.parse("2C 2D"),
    6: Cards.parse("2D 3D 3C 4C"),
    7: Cards.parse("2D 3D 3C"),
}


def pack(rules: Rules) -> Cards:
    """Every card in the game, those left over included."""
    if rules.packs == 2:
        return _ONE_PACK + _ONE_PACK
    return _ONE_PACK if rules.kitty is not Kitty.OFF else _ONE_PACK - _REMOVED[rules.players]


def cards_each(rules: Rules) -> int:
    """How many cards each seat is dealt, and so how many tricks a hand has."""
    if rules.kitty is not Kitty.OFF and rules.players == 4:
        return 12
    return len(pack(rules)) // rules.players


def kitty_size(rules: Rules) -> int:
    """How many cards are left over and lie face down."""
    return len(pack(rules)) - rules.players * cards_each(rules)


def deal(rules: Rules, dealer: Seat, rng: random.Random) -> Deal:
    """A deal by `dealer`; `rng` is the only chance in it."""
    cards = list(pack(rules))
    rng.shuffle(cards)
    each = cards_each(rules)
    held = tuple(Cards.of(cards[seat * each : (seat + 1) * each]) for seat in range(rules.players))
    return Deal(dealer, held, Cards.of(cards[rules.players * each :]))


def dealer_after(dealer: Seat, rules: Rules) -> Seat:
    return left(dealer, rules.players)


def direction(rules: Rules, hand: int) -> Direction:
    """Where the cards go in hand 1, 2, 3 and so on."""
    if rules.passing is Passing.NONE:
        return Direction.KEEP
    rotation = [Direction(word) for word in rules.passing.split("-")]
    if rules.players % 2:
        rotation = [to for to in rotation if to is not Direction.ACROSS]
    return rotation[(hand - 1) % len(rotation)]


def receiver(seat: Seat, to: Direction, players: int) -> Seat:
    """The seat that gets what `seat` passes."""
    match to:
        case Direction.LEFT:
            return left(seat, players)
        case Direction.RIGHT:
            return right(seat, players)
        case Direction.ACROSS:
            return across(seat, players)
        case Direction.KEEP:
            return seat
