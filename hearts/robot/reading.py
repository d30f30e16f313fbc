"""Converts what the robot sees into the numbers of the inner loop.

A `Position` is the part of a seat's view that matters for a decision; it has nothing that a `View` does not.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from hearts.cards import HEARTS, ONCE_MASK, Card, Cards
from hearts.deal import Direction, pack
from hearts.game import Stage
from hearts.robot import bits
from hearts.robot.engine import lay
from hearts.robot.policy import win_chance
from hearts.rules import Kitty, MoonScoring, Opening, OpeningBan, QueenBreaks, Rules, TieBreak, When
from hearts.seats import Seat, left
from hearts.seats import side_of as side_of_seat
from hearts.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A hand as one seat sees it, whose turn it is; the fields are those of `View`."""

    rules: Rules
    hand: int
    dealer: Seat
    seat: Seat
    totals: tuple[int, ...]
    """By side, before this hand."""
    stage: Stage
    direction: Direction
    given: Cards | None
    received: Cards | None
    held: Cards
    leader: Seat | None
    plays: tuple[Card, ...]
    kitty: Cards | None
    legal: Cards


def position(view: View) -> Position:
    """The position of the seat of `view`, whose turn it must be."""
    assert view.dealer is not None
    return Position(
        rules=view.rules,
        hand=view.hand,
        dealer=view.dealer,
        seat=view.seat,
        totals=view.totals,
        stage=view.stage,
        direction=view.direction,
        given=view.given,
        received=view.received,
        held=view.held,
        leader=view.leader,
        plays=view.plays,
        kitty=view.kitty,
        legal=view.legal,
    )


_FEAR_POINTS: Final = 25
"""The cost of another side's moon besides its points: players rightly resent a robot that lets one through."""
_DOUBT_POINTS: Final = 20
"""The cost of its own moon in a roll-out besides its points: of moons that all roll-outs promise, players of level
strong stop a quarter, and of those that nine in ten promise, two thirds (`bench.moons`). Measured where players in
roll-outs choose by prices; elsewhere there is none."""
_WIN_POINTS: Final = 25
"""The value of winning the game in points: about as much as a hand can change."""
_ANY_TOTAL: Final = -(1 << 20)
"""The target in a hand with which the game ends whatever the totals are."""
_KITTIES: Final = {Kitty.OFF: 0, Kitty.FIRST_POINTS: 1, Kitty.FIRST_HEART: 2, Kitty.FIRST_TRICK: 3, Kitty.LAST_TRICK: 4}
_MOONS: Final = {MoonScoring.ADD: 0, MoonScoring.SUBTRACT: 1, MoonScoring.SMART: 2, MoonScoring.CHOICE: 2}
_OPENINGS: Final = {Opening.LOW_CLUB: 0, Opening.ANY_CLUB: 1, Opening.ELDEST: 2}


def table_numbers(position: Position) -> list[int]:
    """The rules of the table, and the value of points to the seat, as RULES integers."""
    numbers = list(_rules_numbers(position.rules))
    numbers[bits.ME] = side_of_seat(position.seat, partnership=position.rules.partnership)
    numbers[bits.TO] = _places_to_the_left(position.direction, position.rules.players)
    if 0 < position.rules.hands <= position.hand:
        numbers[bits.TARGET] = _ANY_TOTAL
    numbers[bits.ELDEST] = left(position.dealer, position.rules.players)
    for side, total in enumerate(position.totals):
        numbers[bits.TOTALS + side] = total
    for side, weight in enumerate(_weights(position.totals, numbers[bits.ME])):
        numbers[bits.WEIGHTS + side] = weight
    return numbers


@lru_cache(maxsize=64)
def _rules_numbers(rules: Rules) -> tuple[int, ...]:
    numbers = [0] * bits.RULES
    numbers[bits.PLAYERS] = rules.players
    numbers[bits.PACKS] = rules.packs
    numbers[bits.PARTNERS] = int(rules.partnership)
    numbers[bits.FIRST_TRICK_POINTS] = int(rules.first_trick_points)
    numbers[bits.HEARTS_LEAD_BARRED] = int(rules.hearts_lead is When.AFTER_BROKEN)
    numbers[bits.QUEEN_LED_BREAKS] = int(rules.queen_breaks is QueenBreaks.LED)
    numbers[bits.QUEEN_PLAYED_BREAKS] = int(rules.queen_breaks is QueenBreaks.PLAYED)
    numbers[bits.QUEEN_LEAD_BARRED] = int(rules.queen_lead is When.AFTER_BROKEN)
    numbers[bits.QUEEN_DISCARD_BARRED] = int(rules.queen_discard is When.AFTER_BROKEN)
    numbers[bits.QUEEN_POINTS] = rules.queen_points
    numbers[bits.JACK_POINTS] = rules.jack_points
    numbers[bits.MOON] = _MOONS[rules.moon]
    numbers[bits.SUN] = int(rules.sun)
    numbers[bits.NO_TRICKS_BONUS] = rules.no_tricks_bonus
    numbers[bits.FIFTY] = int(rules.fifty_bonus)
    numbers[bits.KITTY] = 5 if rules.packs == 2 else _KITTIES[rules.kitty]
    numbers[bits.TWO_PAIRS_VOID] = int(rules.packs == 2 and rules.cancellation == "two-pairs-void")
    numbers[bits.TARGET] = rules.target
    numbers[bits.EXTRA_HAND] = int(rules.tie_break is TieBreak.EXTRA_HAND)
    numbers[bits.SIDES] = rules.sides
    numbers[bits.PACK_TOTAL] = rules.pack_total
    numbers[bits.PENALTY] = rules.penalty_cards.faces().mask
    numbers[bits.WHOLE] = pack(rules).faces().mask
    numbers[bits.STOP_AT] = rules.pack_total * 5 // 8
    numbers[bits.FEAR] = _FEAR_POINTS * bits.POINT
    numbers[bits.DOUBT] = _DOUBT_POINTS * bits.POINT if has_prices(rules) else 0
    numbers[bits.WIN] = _WIN_POINTS * bits.POINT
    numbers[bits.JUDGES] = int(has_prices(rules))
    numbers[bits.SETTLES] = int(not (rules.jack_points or rules.no_tricks_bonus or rules.sun))
    for lower in range(14):
        for higher in range(14 - lower):
            numbers[bits.WINNING + lower * 14 + higher] = win_chance(lower, higher, rules.players - 1)
    numbers[bits.PASS_COUNT] = rules.pass_count
    numbers[bits.OPENING] = _OPENINGS[rules.opening]
    return tuple(numbers)


def has_prices(rules: Rules) -> bool:
    """Whether the table of prices was fitted to such rules: a single pack, no partners, no jack of diamonds."""
    return rules.packs == 1 and not rules.partnership and not rules.jack_points


def _places_to_the_left(direction: Direction, players: int) -> int:
    steps = {Direction.LEFT: 1, Direction.RIGHT: players - 1, Direction.ACROSS: players // 2, Direction.KEEP: 0}
    return steps[direction]


def _weights(totals: tuple[int, ...], mine: int) -> list[int]:
    """By side, the weight of a point: all others' together weigh as much as one's own, and the leaders' most."""
    least = min(totals)
    shares = [0 if side == mine else 1000 // (40 + total - least) for side, total in enumerate(totals)]
    whole = sum(shares) or 1
    return [bits.POINT if side == mine else -(bits.POINT * share // whole) for side, share in enumerate(shares)]


Watch = Callable[[list[int], Card], None]
"""A callback for each card of others, before it is played: it gets the state, whose SEAT plays it, and the card."""


def replayed(position: Position, rules: list[int], watch: Watch | None = None) -> list[int]:
    """The hand so far as STATE integers: the cards played and those that the seat holds; all other hands are empty."""
    state = fresh_state(position, rules)
    for card in position.plays:
        if watch and state[bits.SEAT] != position.seat:
            watch(state, card)
        due = state[bits.KITTY_DUE]
        lay(state, rules, card)
        if due and not state[bits.KITTY_DUE] and position.kitty is None:
            state[bits.KITTY_TO] = state[bits.LAST_WINNER]
    return state


def fresh_state(position: Position, rules: list[int]) -> list[int]:
    """The hand before its first card as STATE integers; the cards that the seat has played since are missing."""
    state = [0] * bits.STATE
    state[bits.SEAT] = position.seat if position.leader is None else position.leader
    state[bits.LED] = state[bits.BEST] = state[bits.KITTY_TO] = -1
    state[bits.FIRST] = 1
    state[bits.TRICKS_LEFT] = len(position.held) + len(position.plays) // position.rules.players
    state[bits.KITTY_DUE] = int(rules[bits.KITTY] > 0)
    state[bits.OPEN] = _open_mask(position)
    state[bits.PASSES] = int(position.stage is Stage.PASS)
    state[bits.CHOOSER] = position.seat
    _hold(state, position.seat, position.held)
    if position.kitty:
        _hold(state, position.rules.players, position.kitty)
    for seat in range(position.rules.players):
        state[bits.STOPS + seat] = 1
    return state


def _hold(state: list[int], slot: int, cards: Cards) -> None:
    state[bits.HELD + slot] = cards.mask & ONCE_MASK
    state[bits.TWICE + slot] = cards.mask >> 52


def _open_mask(position: Position) -> int:
    """Mask of the cards that the seat may lead to the first trick, if it opens."""
    rules = position.rules
    clubs = position.held.mask & bits.CLUBS_MASK
    match rules.opening:
        case Opening.LOW_CLUB:
            return clubs & -clubs
        case Opening.ANY_CLUB:
            return bits.CLUBS_MASK
        case Opening.ELDEST:
            banned = HEARTS if rules.opening_ban is OpeningBan.HEARTS else rules.penalty_cards
            return ONCE_MASK & ~banned.mask
