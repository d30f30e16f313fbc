"""Dealing: which cards are in the game, who deals next, where a hand's passes go.

The caller passes the source of randomness in.
"""

import random
from enum import StrEnum
from typing import Final

from hearts.cards import FACES, NONE, Cards, card_text
from hearts.rules import Kitty, Passing, Rules
from hearts.seats import Seat, across, left, right
from hearts.turns import Deal


class Direction(StrEnum):
    """The direction of a hand's pass; with `keep`, nothing is passed."""

    LEFT = "left"
    RIGHT = "right"
    ACROSS = "across"
    KEEP = "keep"


_ONE_PACK: Final = Cards.of(FACES)
_TWO_PACKS: Final = _ONE_PACK + _ONE_PACK
_REMOVED: Final = {
    3: Cards.parse("2D"),
    4: NONE,
    5: Cards.parse("2C 2D"),
    6: Cards.parse("2D 3D 3C 4C"),
    7: Cards.parse("2D 3D 3C"),
}


def _rotation(passing: Passing, *, odd: bool) -> tuple[Direction, ...]:
    if passing is Passing.NONE:
        return (Direction.KEEP,)
    rotation = map(Direction, passing.split("-"))
    return tuple(to for to in rotation if not (odd and to is Direction.ACROSS))


_ROTATIONS: Final = {(passing, odd): _rotation(passing, odd=bool(odd)) for passing in Passing for odd in (0, 1)}


def pack(rules: Rules) -> Cards:
    """Every card in the game, including those left over from the deal."""
    if rules.packs == 2:
        return _TWO_PACKS
    return _ONE_PACK if rules.kitty is not Kitty.OFF else _ONE_PACK - _REMOVED[rules.players]


def cards_each(rules: Rules) -> int:
    """The number of cards dealt to each seat, and so of tricks in a hand."""
    if rules.kitty is not Kitty.OFF and rules.players == 4:
        return 12
    return len(pack(rules)) // rules.players


def kitty_size(rules: Rules) -> int:
    """The number of cards that are left over and lie face down."""
    return len(pack(rules)) - rules.players * cards_each(rules)


def deal(rules: Rules, dealer: Seat, rng: random.Random) -> Deal:
    """A deal by `dealer`; `rng` determines the cards."""
    cards = list(pack(rules))
    rng.shuffle(cards)
    each = cards_each(rules)
    held = tuple(Cards.of(cards[seat * each : (seat + 1) * each]) for seat in range(rules.players))
    return Deal(dealer, held, Cards.of(cards[rules.players * each :]))


def dealer_after(dealer: Seat, rules: Rules) -> Seat:
    return left(dealer, rules.players)


def direction(rules: Rules, hand: int) -> Direction:
    """The direction of the pass in a hand, counted from 1."""
    rotation = _ROTATIONS[rules.passing, rules.players % 2]
    return rotation[(hand - 1) % len(rotation)]


def hands_at_once(rules: Rules) -> tuple[int, ...]:
    """How many hands may be played at once: one, or a hand for each direction of the pass."""
    rotation = _ROTATIONS[rules.passing, rules.players % 2]
    return (1,) if len(rotation) == 1 else (1, len(rotation))


def one_round(rules: Rules) -> int:
    """The number of hands in a round: one for each direction of the pass, or for each dealer if there is only one."""
    return hands_at_once(rules)[-1] if len(hands_at_once(rules)) > 1 else rules.players


def dealt_together(rules: Rules, at_once: int, hand: int) -> range:
    """The numbers of the hands that are dealt together with `hand`, in a game that plays `at_once` together.

    They are fewer where the rules limit the number of hands; further hands, which break a tie, are dealt one by one.
    """
    if 0 < rules.hands < hand:
        return range(hand, hand + 1)
    first = hand - (hand - 1) % at_once
    most = first + at_once
    return range(first, min(most, rules.hands + 1) if rules.hands else most)


def receiver(seat: Seat, to: Direction, players: int) -> Seat:
    """The seat that gets the cards that `seat` passes."""
    match to:
        case Direction.LEFT:
            return left(seat, players)
        case Direction.RIGHT:
            return right(seat, players)
        case Direction.ACROSS:
            return across(seat, players)
        case Direction.KEEP:
            return seat


def why_not_dealt(rules: Rules, turn: Deal) -> str | None:
    """Why this is not an even deal of the pack by a player; None if it is. Not checked: whether it is their turn."""
    if not 0 <= turn.dealer < rules.players:
        return f"seat {turn.dealer} may not deal: there are seats 0 to {rules.players - 1}"
    if len(turn.held) != rules.players:
        return f"cards are dealt to {len(turn.held)} seats, not {rules.players}"
    each, over = cards_each(rules), kitty_size(rules)
    for seat, held in enumerate(turn.held):
        if len(held) != each:
            return f"seat {seat} is dealt {len(held)} cards, not {each}"
    if len(turn.kitty) != over:
        return f"the cards left over must be {over}, not {len(turn.kitty)}"
    return _why_not_pack(pack(rules), (*turn.held, turn.kitty))


def _why_not_pack(wanted: Cards, dealt: tuple[Cards, ...]) -> str | None:
    try:
        if sum(dealt, NONE) == wanted:
            return None
    except ValueError:
        pass  # three of one card: the count below reports it
    counts = {card: sum(cards.count(card) for cards in dealt) for card in FACES}
    wrong = next(card for card in FACES if counts[card] != wanted.count(card))
    return f"the cards are not the pack: {card_text(wrong)} is there {counts[wrong]} times, not {wanted.count(wrong)}"
