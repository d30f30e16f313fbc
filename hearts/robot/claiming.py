"""When the robot claims the rest without a search: it is certain to win every trick, and nothing can be better.

That it can claim is no reason to win tricks with points. `hearts.claim` contains the proof.
"""

from dataclasses import dataclass

from hearts.claim import Claim, claim
from hearts.robot import bits
from hearts.robot.engine import score, side_of
from hearts.robot.reading import Position, replayed, table_numbers


@dataclass(frozen=True, slots=True)
class Rest:
    """The remaining tricks, all won by one seat."""

    claim: Claim
    own: int | None
    """The points of the hand for its side; None if they depend on cards left over that it has not seen."""
    moon: bool
    """Whether its side thereby shoots the moon."""


def the_rest(place: Position) -> Rest | None:
    """The claim that the seat of `place` should play out; None if there is none or something may be better.

    Nothing is better if the seat would win every trick in any order, if no points are left, or if it shoots the moon.
    """
    claimed = claim(place)
    if claimed is None:
        return None
    rules = table_numbers(place)
    state = replayed(place, rules)
    if state[bits.KITTY_TO] >= 0:
        return Rest(claimed, None, moon=False) if claimed.any_order else None
    others = sum(points for seat, points in _taken(state, rules) if side_of(seat, rules) != rules[bits.ME])
    left = rules[bits.PACK_TOTAL] - sum(points for _, points in _taken(state, rules))
    jacks = place.rules.packs - sum(state[bits.JACKS : bits.JACKS + rules[bits.PLAYERS]])
    state[bits.TAKEN + place.seat] += left
    state[bits.WON + place.seat] += len(claimed.cards)
    state[bits.JACKS + place.seat] += jacks
    own, moon = _own(state, rules, rules[bits.MOON]), others == 0
    if not claimed.any_order and left and not (moon and own == _own(state, rules, smart=2)):
        return None
    return Rest(claimed, own, moon)


def _taken(state: list[int], rules: list[int]) -> list[tuple[int, int]]:
    return list(enumerate(state[bits.TAKEN : bits.TAKEN + rules[bits.PLAYERS]]))


def _own(state: list[int], rules: list[int], smart: int) -> int:
    """The points of the robot's side, with a moon counted this way."""
    work = [0] * bits.WORK
    counted = list(rules)
    counted[bits.MOON] = smart
    score(state, counted, work)
    return work[bits.POINTS + rules[bits.ME]]
