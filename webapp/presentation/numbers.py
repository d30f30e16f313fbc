"""Each player's statistics at the end of a game: hands won, points taken, moons, and their best and worst hands."""

from collections.abc import Sequence
from dataclasses import dataclass

from hearts.rules import Rules
from hearts.score import HandScore, lowest_sides
from hearts.seats import Seat, every_seat, side_of


@dataclass(frozen=True, slots=True)
class PlayerNumbers:
    """One player's statistics. Partners share those of their side: hands won, moons, average, best and worst."""

    name: str
    hands_won: int  # in which nobody had fewer points
    tricks: int
    taken: int  # points in the tricks
    queens: int
    moons: int
    average: str  # points a hand, with one decimal
    best: int  # the fewest points of a hand
    worst: int


def numbers(rules: Rules, names: Sequence[str], scores: Sequence[HandScore]) -> tuple[PlayerNumbers, ...]:
    """The statistics of every player, the best placed first; empty before the first hand is scored."""
    if not scores:
        return ()
    totals = scores[-1].totals
    order = sorted(every_seat(rules.players), key=lambda seat: totals[_side(rules, seat)])
    return tuple(_of(names[seat], seat, _side(rules, seat), scores) for seat in order)


def _side(rules: Rules, seat: Seat) -> int:
    return side_of(seat, partnership=rules.partnership)


def _of(name: str, seat: Seat, side: int, scores: Sequence[HandScore]) -> PlayerNumbers:
    points = [score.points[side] for score in scores]
    return PlayerNumbers(
        name=name,
        hands_won=sum(side in lowest_sides(score.points) for score in scores),
        tricks=sum(score.tricks_won[seat] for score in scores),
        taken=sum(score.taken[seat] for score in scores),
        queens=sum(score.queens[seat] for score in scores),
        moons=sum(score.moon == side for score in scores),
        average=f"{sum(points) / len(points):.1f}",
        best=min(points),
        worst=max(points),
    )
