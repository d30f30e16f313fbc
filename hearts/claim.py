"""Claims of the rest: the seat on lead can prove that it wins all remaining tricks, whatever the others hold and play.

The proof assumes nothing about unseen cards: any opponent may hold any of them. A card is sure to win if every card of
its suit that is out is lower, or once the suit has been led as often as cards of it are out. A player who shot the moon
and may choose how it counts still does so after the last card.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from hearts.cards import NONE, ONCE_MASK, ONE, SUIT_MASK, Card, Cards, highest, lowest, suit
from hearts.deal import kitty_size, pack
from hearts.game import Game, IllegalTurn, Stage, apply, legal
from hearts.play import is_broken, law, may_play_mask, winner
from hearts.rules import Cancellation, Rules
from hearts.seats import Seat
from hearts.turns import Play

FEWEST: Final = 2
"""The fewest cards to claim with; a single card is just played."""
_SUITS: Final = tuple(SUIT_MASK[start] for start in (0, 13, 39, 26))
"""The suits in the order in which a claim leads them: hearts break hearts, which leading QS may require."""


class Seen(Protocol):
    """The facts that a claim needs to know: a View has them, and so has a robot's Position."""

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
    """`seat` wins all remaining tricks if it leads `cards` in this order."""

    seat: Seat
    cards: tuple[Card, ...]
    any_order: bool
    """Whether it wins them in any other order as well: then the seat could not lose a trick even if it wanted to."""


def claim(view: Seen) -> Claim | None:
    """The claim of the seat of `view`; None if it is not on lead, has only one card, or is not certain to win.

    If there is a claim, the winners of the remaining tricks, and so everybody's points, do not depend on what the
    others play. None is no proof of the contrary: voids and passes may show that a higher card is harmless.
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
    """The plays that end the hand after a claim: its cards in order, and from everybody else the lowest legal card.

    Raises IllegalTurn, before the first play, if `claimed` is not a valid claim of the seat that leads now.
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
    """The cards in an order that is legal whatever the others play: suit by suit, each from the top."""
    table, left = law(view.rules), view.held
    broken = is_broken(table, view.plays)
    allowed_mask = view.legal.mask
    while left:
        card = next(highest(mask) for of_suit in _SUITS if (mask := allowed_mask & of_suit))
        yield card
        left = left.without(card)
        broken = broken or table.lead_breaks_mask & ONE[card] != 0
        allowed_mask = may_play_mask(left.mask, table.lead[broken])


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
        """Whether `card`, led now, is certain to win: no card beats it, and neither its twin nor pairs cancel it."""
        if self.pairs_void and self.twice_mask.bit_count() > 1:
            return False
        least = card if self.two_packs else card + 1
        return (self.once_mask & SUIT_MASK[card]) >> least == 0

    def follow(self, card: Card) -> None:
        """Notes a lead of `card`: every seat that has the suit has one card less of it, until none has any."""
        of_suit = suit(card)
        self.leads_left[of_suit] -= 1
        if self.leads_left[of_suit] <= 0:
            self.once_mask &= ~SUIT_MASK[card]
            self.twice_mask &= ~SUIT_MASK[card]


def _left_over_suits(view: Seen) -> int:
    """Mask of the suits that no other seat holds any more: their unseen cards were left over from the deal."""
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
        leader = Seat(
            (leader + (winner(cards, view.rules) or 0)) % players
        )  # if nobody wins, the same seat leads again
    void_masks[view.seat] = ONCE_MASK
    common = ONCE_MASK
    for mask in void_masks:
        common &= mask
    return common
