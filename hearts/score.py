"""Scores a hand: cards taken, the moon, bonuses, totals, and whether the game is over.

A hand yields a `HandOutcome`, which becomes a `HandScore` once it is decided how a moon counts.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import add
from typing import Final

from hearts.cards import FACES, HEARTS, JACK_OF_DIAMONDS, QUEEN_OF_SPADES, Card, Cards
from hearts.play import Trick
from hearts.rules import Kitty, MoonScoring, Rules, TieBreak
from hearts.seats import Seat, every_seat, sides
from hearts.turns import Deal, MoonChoice

_POINTS_OF: Final = {
    queen_points: tuple(1 if card in HEARTS else queen_points if card == QUEEN_OF_SPADES else 0 for card in FACES)
    for queen_points in (13, 0)
}
"""From the points of a queen of spades to the points of each card."""


@dataclass(frozen=True, slots=True)
class HandScore:
    """A line of the score sheet. `points` are those of the hand, with the moon, jacks and bonuses; `totals` are those
    of the game after it, less 50 where a total has hit a multiple of 50 and the rules give that bonus.
    """

    number: int
    dealer: Seat
    taken: tuple[int, ...]
    """By seat: the points of the hearts and queens of spades that it took."""
    tricks_won: tuple[int, ...]
    """By seat."""
    queens: tuple[int, ...]
    """By seat: how many queens of spades it took."""
    jacks: tuple[int, ...]
    """By seat: how many jacks of diamonds it took."""
    moon: int | None
    """The side that shot it."""
    moon_choice: MoonChoice | None
    """How the moon was counted; None if nobody shot it."""
    sun: bool
    """Whether the moon counted double."""
    points: tuple[int, ...]
    """By side."""
    fifties: tuple[int, ...]
    """The sides from whose totals 50 points were taken off."""
    totals: tuple[int, ...]
    """By side."""


@dataclass(frozen=True, slots=True)
class HandOutcome:
    """The result of a finished hand before it is decided how a moon counts."""

    rules: Rules
    number: int
    dealer: Seat
    before: tuple[int, ...]
    """The totals by side before this hand."""
    taken: tuple[int, ...]
    tricks_won: tuple[int, ...]
    queens: tuple[int, ...]
    jacks: tuple[int, ...]
    moon: int | None
    shooter: Seat | None
    """The seat that chooses how a moon counts: of two partners, the one who won the later trick."""
    sun: bool


Piles = tuple[list[Card], ...]
"""By seat, the cards that it has collected."""


def outcome(
    rules: Rules,
    number: int,
    before: tuple[int, ...],
    dealt: Deal,
    plays: Sequence[Card],
    won: Sequence[Seat | None],
) -> HandOutcome:
    """The outcome of the finished hand `number`; `before` are the totals, by side, before it."""
    collected = piles(rules, plays, won, dealt.kitty, finished=True)
    taken = points_in(rules, collected)
    moon = _moon_side(rules, taken)
    shooters = () if moon is None else sides(rules.players, partnership=rules.partnership)[moon]
    return HandOutcome(
        rules=rules,
        number=number,
        dealer=dealt.dealer,
        before=before,
        taken=taken,
        tricks_won=tuple(map(won.count, every_seat(rules.players))),
        queens=tuple([pile.count(QUEEN_OF_SPADES) for pile in collected]),
        jacks=tuple([pile.count(JACK_OF_DIAMONDS) for pile in collected]),
        moon=moon,
        shooter=next((seat for seat in reversed(won) if seat in shooters), None),
        sun=rules.sun and moon is not None and all(seat in shooters for seat in won),
    )


def piles(rules: Rules, plays: Sequence[Card], won: Sequence[Seat | None], kitty: Cards, *, finished: bool) -> Piles:
    """By seat, the cards collected: the tricks it won, those set aside before them, and the kitty once it is due."""
    collected: Piles = tuple([] for _ in range(rules.players))
    set_aside = 0
    for number, won_by in enumerate(won, 1):
        if won_by is not None:
            collected[won_by].extend(plays[set_aside : number * rules.players])
            set_aside = number * rules.players
    collector = _collector(rules, plays, won, finished=finished)
    if collector is not None:
        collected[collector].extend(kitty)
    return collected


def kitty_collector(rules: Rules, tricks: Sequence[Trick], *, finished: bool) -> Seat | None:
    """The seat that has collected the cards left over; None if nobody has yet."""
    plays = [card for trick in tricks for card in trick.cards]
    return _collector(rules, plays, [trick.winner for trick in tricks], finished=finished)


def _collector(rules: Rules, plays: Sequence[Card], won: Sequence[Seat | None], *, finished: bool) -> Seat | None:
    if rules.packs == 2:
        return next((won_by for won_by in won if won_by is not None), None)
    match rules.kitty:
        case Kitty.OFF:
            return None
        case Kitty.FIRST_TRICK:
            return won[0] if won else None
        case Kitty.LAST_TRICK:
            return won[-1] if finished else None
        case Kitty.FIRST_POINTS:
            wanted = rules.penalty_cards
        case Kitty.FIRST_HEART:
            wanted = HEARTS
    place = next((place for place, card in enumerate(plays) if card in wanted), len(plays))
    return won[place // rules.players] if place < len(won) * rules.players else None


def points_in(rules: Rules, collected: Iterable[Iterable[Card]]) -> tuple[int, ...]:
    """By seat, the points of the penalty cards it has collected."""
    points = _POINTS_OF[rules.queen_points]
    return tuple([sum([points[card] for card in pile]) for pile in collected])


def _by_side(rules: Rules, by_seat: Sequence[int]) -> Sequence[int]:
    if not rules.partnership:
        return by_seat
    return [sum(by_seat[seat] for seat in side) for side in sides(rules.players, partnership=rules.partnership)]


def _moon_side(rules: Rules, taken: Sequence[int]) -> int | None:
    """The side that has taken every penalty card of the pack; None if none has."""
    by_side = _by_side(rules, taken)
    return by_side.index(rules.pack_total) if rules.pack_total in by_side else None


def hand_score(hand: HandOutcome, choice: MoonChoice | None = None) -> HandScore:
    """The score of a hand; `choice` is the shooter's, and is ignored unless the rules leave it to the shooter.

    Raises ValueError if a choice is needed and missing.
    """
    if hand.moon is None:
        return _scored(hand, None)
    match hand.rules.moon:
        case MoonScoring.ADD:
            return _scored(hand, MoonChoice.ADD)
        case MoonScoring.SUBTRACT:
            return _scored(hand, MoonChoice.SUBTRACT)
        case MoonScoring.SMART:
            return _scored(hand, smart_choice(hand.rules, _scored(hand, MoonChoice.ADD)))
        case MoonScoring.CHOICE:
            if choice is None:
                raise ValueError("the shooter has not said how the moon counts")
            return _scored(hand, choice)


def smart_choice(rules: Rules, added: HandScore) -> MoonChoice:
    """Add, unless that ends the game with another side below the shooter; `added` is the score of the hand with add."""
    assert added.moon is not None
    if is_over(rules, added.number, added.totals) and added.totals[added.moon] > min(added.totals):
        return MoonChoice.SUBTRACT
    return MoonChoice.ADD


def _scored(hand: HandOutcome, choice: MoonChoice | None) -> HandScore:
    points = _points(hand, choice)
    totals = tuple(map(add, hand.before, points))
    fifties = _fifties(totals) if hand.rules.fifty_bonus else ()
    return HandScore(
        number=hand.number,
        dealer=hand.dealer,
        taken=hand.taken,
        tricks_won=hand.tricks_won,
        queens=hand.queens,
        jacks=hand.jacks,
        moon=hand.moon,
        moon_choice=choice,
        sun=hand.sun,
        points=points,
        fifties=fifties,
        totals=tuple(total - 50 if side in fifties else total for side, total in enumerate(totals)),
    )


def _fifties(totals: Sequence[int]) -> tuple[int, ...]:
    """The sides whose total is a positive multiple of 50."""
    return tuple(side for side, total in enumerate(totals) if total > 0 and total % 50 == 0)


def _points(hand: HandOutcome, choice: MoonChoice | None) -> tuple[int, ...]:
    """By side, the points of the hand, with the moon, jacks and bonuses."""
    rules = hand.rules
    jacks = [rules.jack_points * jacks for jacks in hand.jacks]
    if hand.moon is None:
        bonuses = [0 if won else rules.no_tricks_bonus for won in hand.tricks_won]
        return tuple(_by_side(rules, list(map(sum, zip(hand.taken, bonuses, jacks, strict=True)))))
    worth = rules.moon_points(sun=hand.sun)
    shooter, others = (0, worth) if choice is MoonChoice.ADD else (-worth, 0)
    moon = [shooter if side == hand.moon else others for side in range(rules.sides)]
    return tuple(map(add, moon, _by_side(rules, jacks)))


def is_over(rules: Rules, hand: int, totals: Sequence[int]) -> bool:
    """Whether the game ends with these totals after the hand of that number."""
    was_last = 0 < rules.hands <= hand
    if max(totals) < rules.target and not was_last:
        return False
    return rules.tie_break is TieBreak.SHARED or len(lowest_sides(totals)) == 1


def lowest_sides(totals: Sequence[int]) -> tuple[int, ...]:
    lowest = min(totals)
    return tuple(side for side, total in enumerate(totals) if total == lowest)
