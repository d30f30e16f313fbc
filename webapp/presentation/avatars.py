"""Avatars: a letter on a color and a shape, drawn from a name, so that one tells a table's players at a glance."""

import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from hearts.seats import Seat
from webapp.core.names import bare

TINTS = 8  # colors in the style sheet
ROBOT = "hexagon"
SHAPES = ("disc", "square", "leaf")  # of people


@dataclass(frozen=True, slots=True)
class Avatar:
    letter: str
    tint: int  # a color of the style sheet, from 1 to TINTS
    shape: str


def avatars(names: Sequence[str], robots: Collection[Seat] = ()) -> tuple[Avatar, ...]:
    """The avatar of each player, by seat.

    Two players of a table have the same color only if it has more than TINTS.
    """
    drawn: list[Avatar] = []
    for seat, name in enumerate(names):
        number = zlib.crc32(name.casefold().encode())
        tint = _free_tint(number % TINTS, [other.tint for other in drawn])
        shape = ROBOT if seat in robots else SHAPES[number // TINTS % len(SHAPES)]
        drawn.append(Avatar(bare(name)[:1].upper()[:1], tint, shape))
    return tuple(drawn)


def _free_tint(first: int, taken: Collection[int]) -> int:
    tints = [1 + (first + step) % TINTS for step in range(TINTS)]
    return next((tint for tint in tints if tint not in taken), tints[0])
