"""The kinds of facts about a finished hand, in terms of seats, cards and points, without the players' names.

`story` finds the facts. Code that turns them into sentences uses `match`; the union is closed.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from hearts.cards import Card
from hearts.seats import Seat
from hearts.turns import MoonChoice


class How(StrEnum):
    """How a card came into a player's pile."""

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
    """A side had every point so far, and more than half of all points or every heart, when another side got some."""

    seat: Seat
    """The player with the most points on the side that was shooting the moon."""
    by: Seat | None
    """The player who then took points; None if nobody won the rest."""
    trick: int
    points: int
    """The points of the side until then."""


@dataclass(frozen=True, slots=True)
class QueenTaken:
    seat: Seat
    trick: int
    """The trick in which the queen was played; if it was left over from the deal, the trick with which it came."""
    played_by: Seat | None
    how: How


@dataclass(frozen=True, slots=True)
class QueenDucked:
    """How often a player stayed below the winner, of another side, though holding a card that would have won: in tricks
    with a queen, or led in spades while another player might hold one."""

    seat: Seat
    times: int


@dataclass(frozen=True, slots=True)
class QueenPassed:
    giver: Seat
    receiver: Seat


@dataclass(frozen=True, slots=True)
class JackTaken:
    """Only if the jack of diamonds counts; the fields are those of QueenTaken."""

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
    """The seats that took no points; not in a hand with a moon."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class MostPoints:
    """The seats that took the most points, before bonuses; not in a hand with a moon."""

    seats: tuple[Seat, ...]
    points: int


@dataclass(frozen=True, slots=True)
class WonNoTrick:
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The decision that cost its seat the most; the fields are among those of Opinion."""

    seat: Seat
    trick: int
    played: str
    better: str
    cost: float


@dataclass(frozen=True, slots=True)
class LastTrickPoints:
    seat: Seat
    points: int
    """The points in the last trick, and in the cards that came with it."""


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
    """How interesting a fact is; only the order matters."""
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
