"""The kinds of facts that a finished hand comes to: seats, cards and points; who sits there is left to others.

`story` finds them; whoever tells them asks with `match`, and the union is closed.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from hearts.cards import Card
from hearts.seats import Seat
from hearts.turns import MoonChoice


class How(StrEnum):
    """How a card came into somebody's pile."""

    LED = "led"
    FOLLOWED = "followed"
    DISCARDED = "discarded"
    LEFT_OVER = "left-over"
    """From the cards left over from the deal."""


@dataclass(frozen=True, slots=True)
class MoonShot:
    side: int
    seats: tuple[Seat, ...]
    choice: MoonChoice
    sun: bool


@dataclass(frozen=True, slots=True)
class MoonStopped:
    """A side had every point so far, and more than half of all or every heart, when another got some."""

    seat: Seat
    """Of the side that was after the moon, the one who had most."""
    by: Seat | None
    """Who took points then; None where the rest went to nobody."""
    trick: int
    points: int
    """What the side had before."""


@dataclass(frozen=True, slots=True)
class QueenTaken:
    seat: Seat
    trick: int
    """In which she was played; for one left over, that which brought her."""
    played_by: Seat | None
    how: How


@dataclass(frozen=True, slots=True)
class QueenDucked:
    """Tricks led in spades while a queen was out with others, or in which one lay: followed under the winner of another
    side, with a card in hand that would have won."""

    seat: Seat
    times: int


@dataclass(frozen=True, slots=True)
class QueenPassed:
    giver: Seat
    receiver: Seat


@dataclass(frozen=True, slots=True)
class JackTaken:
    """Told only where the jack of diamonds counts; the fields are those of QueenTaken."""

    seat: Seat
    trick: int
    played_by: Seat | None
    how: How


@dataclass(frozen=True, slots=True)
class HeartsBroken:
    seat: Seat
    trick: int
    card: Card


@dataclass(frozen=True, slots=True)
class CleanHand:
    """The seats that took no points; not told of a moon."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class MostPoints:
    """Who took most, before bonuses; not told of a moon."""

    seats: tuple[Seat, ...]
    points: int


@dataclass(frozen=True, slots=True)
class WonNoTrick:
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """What cost a seat most; the fields are those of Opinion."""

    seat: Seat
    trick: int
    played: str
    better: str
    cost: float
    reason: str


@dataclass(frozen=True, slots=True)
class LastTrickPoints:
    seat: Seat
    points: int
    """In the last trick, and what came with it."""


Fact = (
    MoonShot
    | MoonStopped
    | QueenTaken
    | QueenDucked
    | QueenPassed
    | JackTaken
    | HeartsBroken
    | CleanHand
    | MostPoints
    | WonNoTrick
    | TurningPoint
    | LastTrickPoints
)


def worth(fact: Fact) -> float:
    """How much a fact is worth telling; only the order counts."""
    match fact:
        case MoonShot():
            return 100
        case MoonStopped():
            return 90
        case TurningPoint(cost=cost):
            return 60 + min(cost, 29)
        case QueenTaken(seat=seat, played_by=played_by):
            return 75 if seat == played_by else 70
        case JackTaken():
            return 55
        case MostPoints():
            return 45
        case QueenPassed():
            return 40
        case CleanHand():
            return 35
        case LastTrickPoints(points=points):
            return 25 + min(points, 14)
        case QueenDucked(times=times):
            return 20 + min(times, 13)
        case WonNoTrick():
            return 22
        case HeartsBroken():
            return 10
        case _:
            assert_never(fact)
