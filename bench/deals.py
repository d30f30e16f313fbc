"""Compares fair deals with what chance would do: `python -m bench.deals` deals a million hands, `--deals N` fewer.

Which seat gets each card; how long each suit is in a hand; how many cards a seat has in two hands running; how the
points of a seat's hand go with those of the next; who deals first; and all orders of five cards. Each line has a
chi-square, its degrees of freedom, and the chance that deals without any bias differ at least as much.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import permutations
from math import comb, erfc, sqrt

from hearts.cards import Card, suit
from hearts.deal import cards_each, pack
from hearts.fair import digest_of, fair_deal, part_of, secret_of, shuffle
from hearts.rules import Rules, preset_rules
from hearts.score import points_in

MASTER = digest_of([b"a million deals"])
SEAL = digest_of([b"a seal"])
THIN = 10  # cells with fewer expected hands are put together
TABLES = (("classic", 4, 1), ("kitty", 7, 10))  # preset, players, and one in how many deals it gets


def hypergeometric(found: int, size: int, marked: int, drawn: int) -> float:
    """The chance to draw so many marked cards."""
    return comb(marked, found) * comb(size - marked, drawn - found) / comb(size, drawn)


def tail(chi_square: float, freedom: int) -> float:
    """The chance of at least this chi-square (Wilson and Hilferty)."""
    z = ((chi_square / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / sqrt(2 / (9 * freedom))
    return erfc(z / sqrt(2)) / 2


def line(what: str, chi_square: float, freedom: int) -> str:
    return (
        f"{what:44} chi-square {chi_square:7.1f}, {freedom:3} degrees of freedom, p = {tail(chi_square, freedom):.3f}"
    )


def compared(found: Counter[int], chance: Callable[[int], float], most: int) -> tuple[float, int]:
    """The chi-square of these counts, and its degrees of freedom."""
    total, cells, seen, expected = sum(found.values()), [], 0, 0.0
    for value in range(most + 1):
        seen, expected = seen + found[value], expected + total * chance(value)
        if expected >= THIN:
            cells.append((seen, expected))
            seen, expected = 0, 0.0
    cells[-1] = (cells[-1][0] + seen, cells[-1][1] + expected)
    return sum((one - other) ** 2 / other for one, other in cells), len(cells) - 1


class Tally:
    """The counts of the deals by some rules."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.each, self.pack = rules, cards_each(rules), list(pack(rules))
        self.seats: Counter[tuple[Card, int]] = Counter()
        self.lengths: list[Counter[int]] = [Counter() for _ in range(4)]
        self.shared: Counter[int] = Counter()
        self.dealers: Counter[int] = Counter()
        self.points: list[int] = []

    def deal(self, number: int) -> None:
        parts = [part_of(SEAL, seat, "some words") for seat in range(self.rules.players)]
        before: frozenset[Card] | None = None
        for deal_number in range(number):
            hand = fair_deal(self.rules, SEAL, deal_number, secret_of(MASTER, deal_number), parts, None)
            for seat, held in enumerate((*hand.held, hand.kitty)):
                self.seats.update((card, seat) for card in held)
            mine = list(hand.held[0])
            suits = Counter(map(suit, mine))
            for one, length in enumerate(self.lengths):
                length[suits[one]] += 1
            if before is not None:
                self.shared[len(before.intersection(mine))] += 1
            before = None if before is not None else frozenset(mine)  # pairs that share no hand
            self.dealers[hand.dealer] += 1
            self.points.append(points_in(self.rules, [mine])[0])

    def lines(self) -> list[str]:
        size, players, number = len(self.pack), self.rules.players, len(self.points)
        sizes = [self.each] * players + ([size - players * self.each] if size > players * self.each else [])
        expected = {seat: number * cards / size for seat, cards in enumerate(sizes)}
        by_seat = sum((self.seats[card, seat] - n) ** 2 / n for card in self.pack for seat, n in expected.items())
        # The cards of a deal are drawn without putting back, which lowers the chi-square by a known factor.
        said = [line("each card to each seat", by_seat * (size - 1) / size, (size - 1) * (len(sizes) - 1))]
        for one, length in zip(("clubs", "diamonds", "spades", "hearts"), self.lengths, strict=True):
            marked = sum(suit(card) == len(said) - 1 for card in self.pack)
            chance = self._chance(marked)
            said.append(line(f"the length of {one} in a hand", *compared(length, chance, self.each)))
        shared = compared(self.shared, self._chance(self.each), self.each)
        dealers = compared(self.dealers, lambda _: 1 / players, players - 1)
        return [
            *said,
            line("cards in two hands running", *shared),
            line("who deals first", *dealers),
            self._correlation(),
        ]

    def _chance(self, marked: int) -> Callable[[int], float]:
        return lambda found: hypergeometric(found, len(self.pack), marked, self.each)

    def _correlation(self) -> str:
        mean = sum(self.points) / len(self.points)
        spread = sum((one - mean) ** 2 for one in self.points)
        both = sum((one - mean) * (other - mean) for one, other in zip(self.points, self.points[1:], strict=False))
        z = both / spread * sqrt(len(self.points))
        what = "points in a hand and in the next"
        return f"{what:44} correlation {both / spread:+.5f}, p = {erfc(abs(z) / sqrt(2)):.3f}"


def orders(number: int) -> str:
    """The line on all orders of five cards."""
    found: Counter[tuple[Card, ...]] = Counter()
    for one in range(number):
        cards = [Card(face) for face in range(5)]
        shuffle(cards, secret_of(MASTER, one))
        found[tuple(cards)] += 1
    every = list(permutations(map(Card, range(5))))
    n = number / len(every)
    return line("all orders of five cards", sum((found[order] - n) ** 2 / n for order in every), len(every) - 1)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Compares fair deals with what chance would do.")
    parser.add_argument("--deals", type=int, default=1_000_000)
    number = parser.parse_args(arguments).deals
    for preset, players, share in TABLES:
        tally = Tally(preset_rules(preset, players=players))
        tally.deal(number // share)
        sys.stdout.write(f"{number // share} deals of {preset} with {players} players\n")
        sys.stdout.writelines(f"  {one}\n" for one in tally.lines())
    sys.stdout.write(f"{number} shuffles\n  {orders(number)}\n{time.process_time():.0f} s of processor\n")


if __name__ == "__main__":
    main()
