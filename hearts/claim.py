"""Claiming: what the seat on lead can prove from what it sees, "the rest are mine", whatever the others hold and play.

Nothing is assumed of cards that the seat has not seen: one opponent may hold any of them. A card wins where all that is
out of its suit is lower, or once the suit has been led as often as cards of it are out. Whoever shot the moon and may
choose how it counts still does so after the last card. Source: the rules of play, "Leading and following", 2 and 4.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from hearts.cards import NONE, ONCE_MASK, ONE, SUIT_MASK, Card, Cards, highest, lowest, suit
from hearts.deal import kitty_size, pack
from hearts.game import Game, IllegalTurn, Stage, apply, legal
from hearts.play import Law, law, may_play_mask, winner
from hearts.rules import Cancellation, Rules
from hearts.seats import Seat
from hearts.turns import Play

FEWEST: Final = 2
"""With a single card left there is nothing to claim: it is played."""
_SUITS: Final = tuple(SUIT_MASK[start] for start in (0, 13, 39, 26))
"""The suits in the order in which they are led: hearts first break themselves, so that spades may follow with QS."""


class Seen(Protocol):
    """What a claim rests on: a View has it, and so has whatever else one seat is told."""

    @property
    def rules(self) -> Rules: ...
    @property
    def seat(self) -> Seat: ...
    @property
    def leader(self) -> Seat | None: ...
    @property
    def plays(self) -> tuple[Card, ...]: ...
    @property
    def held(self) -> Cards: ...
    @property
    def kitty(self) -> Cards | None: ...
    @property
    def legal(self) -> Cards: ...


@dataclass(frozen=True, slots=True)
class Claim:
    """Every trick that is left is won by `seat` if it leads `cards` in this order."""

    seat: Seat
    cards: tuple[Card, ...]
    any_order: bool
    """Whether they win in any other order as well: then the seat could not lose a trick if it wanted to."""


def claim(view: Seen) -> Claim | None:
    """The claim of the seat of `view`, None where it is not on lead, holds one card only, or cannot be sure.

    Where there is a claim, the tricks left, and so the points of everybody, do not depend on what the others play.
    That there is none is no proof: voids and passes tell now and then that a higher card is harmless.
    """
    if not view.legal or len(view.held) < FEWEST or len(view.plays) % view.rules.players:
        return None
    out = _Out(view)
    if all(out.wins(card) for card in view.held):
        return Claim(view.seat, tuple(_order(view)), any_order=True)
    order: list[Card] = []
    for card in _order(view):
        if not out.wins(card):
            return None
        order.append(card)
        out.follow(card)
    return Claim(view.seat, tuple(order), any_order=False)


def played_out(game: Game, claimed: Claim) -> Iterator[Play]:
    """The plays that end the hand after a claim: its cards in order, and of everybody else the lowest card allowed.

    Raises IllegalTurn, before the first play, where `claimed` is no claim of whoever leads now.
    """
    if game.to_act != (claimed.seat,) or game.on_table or game.held[claimed.seat] != Cards.of(claimed.cards):
        raise IllegalTurn(f"seat {claimed.seat} may not claim: these are not its cards on a lead of its own")
    leads = iter(claimed.cards)
    while game.stage is Stage.PLAY:
        seat = game.to_act[0]
        card = next(leads) if seat == claimed.seat else lowest(legal(game, seat).mask)
        game = apply(game, Play(seat, card))
        yield Play(seat, card)


def _order(view: Seen) -> Iterator[Card]:
    """The cards in an order that may be led whatever the others play: suit by suit, each from above."""
    table, left = law(view.rules), view.held
    broken = _is_broken(table, view.plays)
    allowed_mask = view.legal.mask
    while left:
        card = next(highest(mask) for of_suit in _SUITS if (mask := allowed_mask & of_suit))
        yield card
        left = left.without(card)
        broken = broken or table.lead_breaks_mask & ONE[card] != 0
        allowed_mask = may_play_mask(left.mask, table.lead[broken])


def _is_broken(table: Law, plays: tuple[Card, ...]) -> bool:
    """Whether hearts are broken once these cards of a hand are played."""
    every = table.rules.players
    return any(
        ONE[card] & (table.follow_breaks_mask if place % every else table.lead_breaks_mask)
        for place, card in enumerate(plays)
    )


class _Out:
    """The cards that others may still hold, while suits are led."""

    def __init__(self, view: Seen) -> None:
        self.two_packs = view.rules.packs == 2
        self.pairs_void = self.two_packs and view.rules.cancellation is Cancellation.TWO_PAIRS_VOID
        unseen = pack(view.rules) - view.held - Cards.of(view.plays) - (view.kitty or NONE)
        self.once_mask = unseen.mask & ONCE_MASK & ~_left_over_suits(view)
        self.twice_mask = unseen.mask >> 52 & self.once_mask
        masks = [SUIT_MASK[start] for start in (0, 13, 26, 39)]
        self.leads_left = [
            (self.once_mask & of_suit).bit_count() + (self.twice_mask & of_suit).bit_count() for of_suit in masks
        ]

    def wins(self, card: Card) -> bool:
        """Whether `card`, led now, wins for certain: nothing goes over it, nothing cancels it, and no pairs do."""
        if self.pairs_void and self.twice_mask.bit_count() > 1:
            return False
        least = card if self.two_packs else card + 1
        return (self.once_mask & SUIT_MASK[card]) >> least == 0

    def follow(self, card: Card) -> None:
        """After a lead of `card`: whoever has the suit has one card less of it, and in the end nobody has."""
        of_suit = suit(card)
        self.leads_left[of_suit] -= 1
        if self.leads_left[of_suit] <= 0:
            self.once_mask &= ~SUIT_MASK[card]
            self.twice_mask &= ~SUIT_MASK[card]


def _left_over_suits(view: Seen) -> int:
    """Mask of the suits that no other seat has any more: what is unseen of them was left over from the deal."""
    players = view.rules.players
    if view.kitty is not None or view.leader is None or not kitty_size(view.rules):
        return 0
    void_masks, leader = [0] * players, view.leader
    for start in range(0, len(view.plays), players):
        cards = view.plays[start : start + players]
        of_suit = SUIT_MASK[cards[0]]
        for place, card in enumerate(cards):
            if not of_suit & ONE[card]:
                void_masks[(leader + place) % players] |= of_suit
        leader = Seat((leader + (winner(cards, view.rules) or 0)) % players)  # where nobody wins, it leads again
    void_masks[view.seat] = ONCE_MASK
    common = ONCE_MASK
    for mask in void_masks:
        common &= mask
    return common
