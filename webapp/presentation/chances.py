"""The cards that the players of a table were dealt, beside what chance gives: of finished hands only."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt

from hearts.cards import QUEENS_OF_SPADES
from hearts.deal import cards_each, pack
from hearts.rules import Rules
from hearts.score import points_in
from hearts.turns import Deal
from webapp.games.record.finished import finished_hand
from webapp.games.record.store import TableGame

NEARLY_ALWAYS = 2  # standard deviations: chance stays within them in 19 of 20 cases


@dataclass(frozen=True, slots=True)
class Range:
    """A number, and the limits between which chance alone leaves it in 19 of 20 cases."""

    found: float
    least: float
    most: float

    @property
    def is_usual(self) -> bool:
        return self.least <= self.found <= self.most


@dataclass(frozen=True, slots=True)
class Dealt:
    """The cards that one player was dealt in the hands that they finished."""

    name: str
    hands: int
    queens: Range  # of spades, in all hands
    points: Range  # in a hand, on the average


@dataclass(slots=True)
class _Sums:
    """The same while it is summed up: numbers found, expected, and their variances."""

    hands: int = 0
    queens: list[float] = field(default_factory=lambda: [0, 0, 0])
    points: list[float] = field(default_factory=lambda: [0, 0, 0])


def dealt_at_table(games: Iterable[TableGame]) -> list[Dealt]:
    """By player, in the order in which they first finished a hand, what they were dealt in these games."""
    sums: dict[str, _Sums] = {}
    for stored in games:
        for number in range(1, len(stored.cycle.scores) + 1):
            hand = finished_hand(stored, number)
            deal = hand.games[0].deal
            assert deal is not None
            for name, queens, points in zip(hand.names, *_counted(hand.rules, deal), strict=True):
                _add(sums.setdefault(name, _Sums()), hand.rules, queens, points)
    return [Dealt(name, one.hands, _range(one.queens), _range(one.points, one.hands)) for name, one in sums.items()]


def _counted(rules: Rules, deal: Deal) -> tuple[Sequence[int], Sequence[int]]:
    """By seat, the queens of spades and the points that were dealt to it."""
    return [len(held & QUEENS_OF_SPADES) for held in deal.held], points_in(rules, deal.held)


def _add(sums: _Sums, rules: Rules, queens: int, points: int) -> None:
    sums.hands += 1
    in_pack = [points_in(rules, [[card]])[0] for card in pack(rules)]
    of_queen = [int(card in QUEENS_OF_SPADES) for card in pack(rules)]
    for summed, found, values in ((sums.queens, queens, of_queen), (sums.points, points, in_pack)):
        summed[0] += found
        summed[1] += cards_each(rules) * sum(values) / len(values)
        summed[2] += _variance(values, cards_each(rules))


def _variance(values: Sequence[int], drawn: int) -> float:
    """The variance of the sum of some of these values, drawn without putting back."""
    size, mean = len(values), sum(values) / len(values)
    spread = sum((value - mean) ** 2 for value in values) / size
    return drawn * spread * (size - drawn) / (size - 1)


def _range(sums: Sequence[float], parts: int = 1) -> Range:
    """The found sum or, of several parts, the average, with its limits."""
    found, expected, variance = sums
    spread = NEARLY_ALWAYS * sqrt(variance)
    return Range(found / parts, max(0, expected - spread) / parts, (expected + spread) / parts)
