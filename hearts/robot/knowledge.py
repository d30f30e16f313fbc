"""A seat's knowledge about the unseen cards: where each of them may be, and how likely that is.

Certain knowledge are shown voids, cards passed and not played since, and conclusions from the opening: no deal may
contradict these. Other conclusions are only likely: a player who held a card would have ducked with it, discarded it,
or given the queen away.
"""

from dataclasses import dataclass
from typing import Final

from hearts.cards import Card
from hearts.deal import Direction, pack, receiver
from hearts.game import Stage
from hearts.robot import bits
from hearts.robot.engine import side_of
from hearts.robot.reading import Position, replayed, table_numbers
from hearts.rules import Kitty, Opening
from hearts.seats import Seat

_EVEN: Final = 64


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The lists that a search starts from, as `search.roll` takes them."""

    state: list[int]
    rules: list[int]
    known: list[int]
    unseen: list[int]
    groups: list[int]


class Contradiction(ValueError):
    """No deal fits the position."""


def knowledge(position: Position, *, infer: bool = True) -> Knowledge:
    """Derives the knowledge of a position's seat; with `infer`, also the likely conclusions. Raises Contradiction."""
    rules = table_numbers(position)
    rules[bits.STOP_AT] = position.rules.pack_total // 2 + 1
    observer = _Observer(position, rules, infer=infer)
    state = replayed(position, rules, observer.watch)
    known = observer.known
    unseen = _unseen(position)
    _place_given(position, state, known, unseen, observer.played)
    _set_rooms(position, state, known, unseen)
    _keep_opener(position, known, unseen, observer.played)
    _mark_shooters(state, rules)
    return Knowledge(state, rules, known, *_grouped(unseen, known, rules[bits.PLAYERS]))


def _unseen(position: Position) -> list[Card]:
    seen: list[Card] = [*position.held, *position.plays, *(position.kitty or ())]
    unseen = list(pack(position.rules))
    for card in seen:
        unseen.remove(card)
    return unseen


def _place_given(
    position: Position, state: list[int], known: list[int], unseen: list[Card], played: list[list[Card]]
) -> None:
    """Places the cards that the seat has passed, and that were not played since, with the receiver."""
    if not position.given or position.stage is Stage.PASS or position.direction is Direction.KEEP:
        return
    to = receiver(position.seat, position.direction, position.rules.players)
    gone = list(played[to])
    for card in position.given:
        if card in gone:
            gone.remove(card)
        elif card in unseen:
            unseen.remove(card)
            bit = 1 << card
            state[bits.TWICE + to] |= state[bits.HELD + to] & bit
            state[bits.HELD + to] |= bit


def _set_rooms(position: Position, state: list[int], known: list[int], unseen: list[Card]) -> None:
    """Sets how many unseen cards each slot takes: a seat one for each trick to come, the last slot the rest."""
    players, held = position.rules.players, len(position.held)
    left_over = len(unseen)
    for seat in range(players):
        if seat == position.seat:
            continue
        behind = (seat - state[bits.LEADER]) % players < state[bits.ON_TABLE]
        placed = bits.count(state[bits.HELD + seat]) + bits.count(state[bits.TWICE + seat])
        room = held - behind - placed
        if room < 0:
            raise Contradiction(f"seat {seat} would hold more cards than tricks are left")
        known[bits.ROOM + seat] = room
        left_over -= room
    if left_over < 0:
        raise Contradiction(f"held is too many: the others cannot have {held} cards each")
    known[bits.ROOM + players] = left_over


def _keep_opener(position: Position, known: list[int], unseen: list[Card], played: list[list[Card]]) -> None:
    """Notes that a club which opened the play was the lowest one dealt: lower ones are left over."""
    opener, opening = position.leader, position.rules.opening
    if opener is None or opening is Opening.ELDEST:
        return
    if opening is Opening.LOW_CLUB:
        below = (1 << position.plays[0]) - 1
    elif position.rules.kitty is Kitty.OFF:
        below = (2 << min(pack(position.rules))) - 1
    else:
        below = _below_shown_clubs(position, known, unseen, played[opener])
    for seat in range(position.rules.players):
        if seat != opener or opening is Opening.LOW_CLUB:
            known[bits.MAY + seat] &= ~below


def _below_shown_clubs(position: Position, known: list[int], unseen: list[Card], openers: list[Card]) -> int:
    """The clubs lower than all shown ones. An opener who has shown none so low holds one: not all are left over."""
    shown = min((card for card in (*position.held, *position.plays) if card < 13), default=Card(0))
    lower = [card for card in unseen if card < shown]
    if lower and position.leader != position.seat and shown not in openers:
        known[bits.MAY + position.rules.players] &= ~(1 << lower[0])
    return (1 << shown) - 1


def _mark_shooters(state: list[int], rules: list[int]) -> None:
    """Marks a side that alone has points, and enough of them, as a possible shooter: the more hearts, the likelier."""
    players = rules[bits.PLAYERS]
    sides = {side_of(seat, rules) for seat in range(players) if state[bits.TAKEN + seat]}
    points = sum(state[bits.TAKEN : bits.TAKEN + players])
    if len(sides) == 1 and rules[bits.ME] not in sides and points >= rules[bits.PACK_TOTAL] // 3:
        hearts = points % rules[bits.QUEEN_POINTS] if rules[bits.QUEEN_POINTS] else points
        state[bits.THREAT] = min(bits.SURE_THREAT, 2 + 3 * hearts)
        state[bits.SHOOTER] = sides.pop()


def _grouped(unseen: list[Card], known: list[int], players: int) -> tuple[list[int], list[int]]:
    """The unseen cards, grouped by the number of slots that may hold them, fewest first, and the end of each group."""

    def choice(card: Card) -> int:
        return sum(known[bits.MAY + slot] >> card & 1 for slot in range(players + 1) if known[bits.ROOM + slot])

    choices = {card: choice(card) for card in set(unseen)}
    ordered = sorted(unseen, key=lambda card: (choices[card], card))
    ends = [end for end in range(1, len(ordered)) if choices[ordered[end - 1]] != choices[ordered[end]]]
    return [int(card) for card in ordered], [*ends, len(ordered)] if ordered else []


class _Observer:
    """Watches the cards of others and records the conclusions from them, as KNOWN integers."""

    def __init__(self, position: Position, rules: list[int], *, infer: bool) -> None:
        self.rules = rules
        self.infer = infer
        self.played: list[list[Card]] = [[] for _ in range(rules[bits.PLAYERS])]
        self.known = [_EVEN] * bits.KNOWN
        for slot in range(bits.SLOTS):
            self.known[bits.MAY + slot] = rules[bits.WHOLE]
            self.known[bits.ROOM + slot] = 0

    def watch(self, state: list[int], card: Card) -> None:
        seat = Seat(state[bits.SEAT])
        self.played[seat].append(card)
        if state[bits.ON_TABLE] == 0:
            self._led(state, seat, card)
        elif card // 13 == state[bits.LED]:
            if self.infer:
                self._followed(state, seat, card)
        else:
            self._discarded(state, seat, card)

    def _only(self, seat: int, mask: int) -> None:
        self.known[bits.MAY + seat] &= mask

    def _less(self, seat: int, mask: int, eighths: int) -> None:
        """Multiplies the likelihood of the faces of `mask` in `seat` by `eighths` / 8."""
        while mask:
            face = bits.lowest(mask)
            mask &= mask - 1
            at = bits.CHANCES + seat * 52 + face
            self.known[at] = max(1, self.known[at] * eighths >> 3)

    def _led(self, state: list[int], seat: int, card: Card) -> None:
        bit, rules = 1 << card, self.rules
        if state[bits.FIRST]:
            if rules[bits.OPENING] == 2 and not state[bits.OPEN] & bit:
                self._only(seat, ~state[bits.OPEN])
        elif not state[bits.BROKEN]:
            barred = bits.HEARTS_MASK if rules[bits.HEARTS_LEAD_BARRED] else 0
            barred |= bits.QUEEN_MASK if rules[bits.QUEEN_LEAD_BARRED] else 0
            if bit & barred:
                self._only(seat, barred)
        if self.infer and card // 13 == 2 and card < bits.QUEEN and not state[bits.GONE] & bits.QUEEN_MASK:
            self._less(seat, bits.SPADES_MASK & ~(bits.QUEEN_MASK - 1), 3)

    def _followed(self, state: list[int], seat: int, card: Card) -> None:
        best, of_suit = state[bits.BEST], bits.suit_mask(state[bits.LED])
        above = of_suit & ~((2 << card) - 1)
        last = state[bits.ON_TABLE] == self.rules[bits.PLAYERS] - 1
        cheap = last and state[bits.TRICK_POINTS] + state[bits.ASIDE_POINTS] == 0
        if state[bits.SHOOTS + seat] or self._all_points(state, seat):
            return
        if card < best:
            between = above & ((1 << best) - 1)
            self._less(seat, between, 5 if cheap else 2)
            if best > bits.QUEEN > card and state[bits.LED] == 2 and self.rules[bits.QUEEN_POINTS]:
                self._less(seat, bits.QUEEN_MASK, 1)
            if cheap:
                self._less(seat, above & ~between & ~bits.QUEEN_MASK, 4)
        elif cheap:
            self._less(seat, above & ~bits.QUEEN_MASK, 3)
        elif best >= 0:
            self._less(seat, of_suit & ((1 << best) - 1), 2)

    def _all_points(self, state: list[int], seat: int) -> bool:
        """Whether a seat has all points taken so far, and at least one: it may want more."""
        players = self.rules[bits.PLAYERS]
        return 3 < state[bits.TAKEN + seat] == sum(state[bits.TAKEN : bits.TAKEN + players])

    def _discarded(self, state: list[int], seat: int, card: Card) -> None:
        bit, rules = 1 << card, self.rules
        self._only(seat, ~bits.suit_mask(state[bits.LED]))
        no_points = state[bits.FIRST] and not rules[bits.FIRST_TRICK_POINTS]
        if no_points and bit & rules[bits.PENALTY]:
            self._only(seat, rules[bits.PENALTY])
        if not self.infer or self._all_points(state, seat):
            return
        free = not no_points and not (rules[bits.QUEEN_DISCARD_BARRED] and not state[bits.BROKEN])
        queen_out = rules[bits.QUEEN_POINTS] and not state[bits.GONE] & bits.QUEEN_MASK
        if queen_out and free and card != bits.QUEEN:
            self._less(seat, bits.QUEEN_MASK, 1)
        if queen_out and card // 13 != 3:
            self._less(seat, bits.SPADES_MASK & ~(2 * bits.QUEEN_MASK - 1), 4)
        if card != bits.QUEEN:
            above = bits.suit_mask(card // 13) & ~((2 << card) - 1)
            self._less(seat, above & ~bits.QUEEN_MASK, 3)
