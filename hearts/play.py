"""Leading, following and winning a trick; what breaks hearts; why a card may not be played.

Every rule of leading and following is a `Step`: "only these, if you hold any of them, because …". The legal cards are
those left after all steps, and a refusal names the first step that removes a card, so that the two cannot disagree.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from hearts.cards import (
    EVERY_CARD,
    FACES,
    HEARTS,
    NONE,
    ONCE_MASK,
    ONE,
    QUEENS_OF_SPADES,
    SUIT_MASK,
    Card,
    Cards,
    Suit,
    card_text,
    highest,
    in_suit,
)
from hearts.rules import Cancellation, Opening, OpeningBan, QueenBreaks, Rules, When
from hearts.seats import Seat
from hearts.words import Sentence, later


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick: one card of each player, or fewer while it is being played. `winner` is None until the end, or if nobody
    wins.
    """

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat | None


@dataclass(frozen=True, slots=True)
class Why:
    """Why the rules refuse a turn."""

    of_seat: str
    """About the seat, for an error: "it must follow clubs"."""
    to_player: Sentence
    """The same to its player: "You must follow clubs."."""


@dataclass(frozen=True, slots=True)
class Step:
    """Only these cards may be played, if there are any; `why` says why."""

    only: Cards
    why: Why
    only_mask: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "only_mask", self.only.mask)


Steps = tuple[Step, ...]

_CAN_FOLLOW: Final = {
    Suit.CLUBS: Why("it must follow clubs", later("You must follow clubs.")),
    Suit.DIAMONDS: Why("it must follow diamonds", later("You must follow diamonds.")),
    Suit.SPADES: Why("it must follow spades", later("You must follow spades.")),
    Suit.HEARTS: Why("it must follow hearts", later("You must follow hearts.")),
}
FOLLOW: Final[tuple[Steps, ...]] = tuple((Step(in_suit(led), _CAN_FOLLOW[led]),) for led in Suit)
"""By the suit led: the step for a seat that can follow; it needs no other."""


def _only(club: Card) -> Why:
    code = card_text(club)
    return Why(
        f"the first lead is {code}, the lowest club", later("The first lead is {card}, the lowest club.", card=code)
    )


OPEN_LOW_CLUB: Final[tuple[Steps, ...]] = tuple((Step(Cards.of([club]), _only(club)),) for club in FACES[:13])
"""By the lowest club that was dealt: the step for the seat that leads it to the first trick."""
_NOT_BROKEN: Final = Why("hearts are not broken yet", later("Hearts are not broken yet."))
_NO_POINTS: Final = Why("no points on the first trick", later("No points on the first trick."))
_CLUB_FIRST: Final = Why("a club is led to the first trick", later("A club is led to the first trick."))
_NO_HEARTS_FIRST: Final = Why(
    "no hearts may be led to the first trick", later("No hearts may be led to the first trick.")
)
_NO_POINTS_FIRST: Final = Why(
    "no points may be led to the first trick", later("No points may be led to the first trick.")
)


@dataclass(frozen=True, slots=True)
class Law:
    """The steps and cards that follow from one table's rules; `law` computes them once."""

    rules: Rules
    open: Steps
    lead: tuple[Steps, Steps]
    """For later leads: before hearts are broken, and after."""
    discard: tuple[Steps, Steps]
    """For discards to later tricks: before hearts are broken, and after."""
    first_discard: tuple[Steps, Steps]
    """For discards to the first trick: before hearts are broken, and after."""
    lead_breaks_mask: int
    follow_breaks_mask: int


@lru_cache(maxsize=256)
def law(rules: Rules) -> Law:
    """The law for these rules; it is cached."""
    barred_lead = _if(rules.hearts_lead is When.AFTER_BROKEN, HEARTS) + _if(
        rules.queen_lead is When.AFTER_BROKEN, QUEENS_OF_SPADES
    )
    before_broken = _barring(_if(rules.queen_discard is When.AFTER_BROKEN, QUEENS_OF_SPADES), _NOT_BROKEN)
    first = _barring(_if(not rules.first_trick_points, rules.penalty_cards), _NO_POINTS)
    return Law(
        rules=rules,
        open=_steps_to_open(rules),
        lead=(_barring(barred_lead, _NOT_BROKEN), ()),
        discard=(before_broken, ()),
        first_discard=(first + before_broken, first),
        lead_breaks_mask=(HEARTS + _if(rules.queen_breaks is not QueenBreaks.NO, QUEENS_OF_SPADES)).mask,
        follow_breaks_mask=(HEARTS + _if(rules.queen_breaks is QueenBreaks.PLAYED, QUEENS_OF_SPADES)).mask,
    )


def _if(condition: bool, cards: Cards) -> Cards:
    return cards if condition else NONE


def _barring(cards: Cards, why: Why) -> Steps:
    return (Step(EVERY_CARD - cards, why),) if cards else ()


def _steps_to_open(rules: Rules) -> Steps:
    """The steps for the first lead, except with `low-club`: there they depend on the deal (`OPEN_LOW_CLUB`)."""
    if rules.opening is not Opening.ELDEST:
        return (Step(in_suit(Suit.CLUBS), _CLUB_FIRST),)
    if rules.opening_ban is OpeningBan.HEARTS:
        return _barring(HEARTS, _NO_HEARTS_FIRST)
    return _barring(rules.penalty_cards, _NO_POINTS_FIRST)


def may_play_mask(held_mask: int, steps: Steps) -> int:
    """The cards of the mask, each face once, that are left after `steps`; empty only if it is."""
    for step in steps:
        held_mask = held_mask & step.only_mask or held_mask
    return held_mask & ONCE_MASK


def refusal(held: Cards, steps: Steps, card: Card) -> Why | None:
    """Why `card` of `held` may not be played; None if it may be."""
    for step in steps:
        if left := held & step.only:
            if card not in left:
                return step.why
            held = left
    return None


def is_broken(table: Law, plays: Sequence[Card]) -> bool:
    """Whether hearts are broken after these plays, the first of a hand."""
    every = table.rules.players
    return any(
        ONE[card] & (table.follow_breaks_mask if place % every else table.lead_breaks_mask)
        for place, card in enumerate(plays)
    )


def cancelled(cards: Sequence[Card]) -> Cards:
    """The cards of a trick with two packs that cancel each other, each twice."""
    return Cards.of(card for card, count in Counter(cards).items() for _ in range(count) if count == 2)


def winner(cards: Sequence[Card], rules: Rules) -> int | None:
    """The index, from the lead, of the card that wins the trick so far; None if nobody does."""
    once = twice = 0
    for card in cards:
        one = ONE[card]
        twice |= once & one
        once |= one
    if twice.bit_count() >= 2 and rules.cancellation is Cancellation.TWO_PAIRS_VOID:
        return None
    candidates = once & SUIT_MASK[cards[0]] & ~twice
    return cards.index(highest(candidates)) if candidates else None
