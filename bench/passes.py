"""Fits the two tables of prices by which the robot chooses the passes that it considers.

    python -m bench.passes --hands 1000 > found.py    some minutes; then replace hearts/robot/keeping_prices.py by it
    python -m bench.passes --missed                   what the best pass considered costs more than the best of all

In each hand, every pass is played over the same few deals, once ducking and once shooting. The tables have the least
squared error of the costs within hands, where passes that cost more count less. That for shooting learns only from
hands in which some pass makes a moon likely.
"""

import argparse
import sys
from base64 import b64encode
from collections.abc import Iterator
from itertools import combinations
from statistics import fmean
from textwrap import wrap

import numpy as np

from bench.robot import dealt, report, table
from hearts.game import Stage
from hearts.robot import warm_up
from hearts.robot.choice import pass_arms
from hearts.robot.keeping import ENTRIES, KINDS, entries
from hearts.robot.knowledge import knowledge
from hearts.robot.race import Arm, measured
from hearts.robot.reading import Position, position
from hearts.view import view

DEALS = 64
AT_ONCE = 200
"""The most arms that the inner loop is given."""
FIRST = 7 * 10**6
NEAR = (4.0, 2.0)
"""For ducking and shooting: by how many points dearer passes count less, by a factor of e."""
LIKELY = 0.6
"""How often the best pass must shoot the moon if the hand is to count for shooting."""
RIDGE = 3.0

HEAD = '''"""The two tables of `hearts.robot.keeping`, packed, fitted by `python -m bench.passes`."""

from typing import Final

'''


def text_of(ducking: np.ndarray, shooting: np.ndarray) -> str:
    """The source of `hearts/robot/keeping_prices.py` with these tables, in points."""
    return HEAD + _constant("DUCK", ducking) + _constant("SHOOT", shooting)


def _constant(name: str, prices: np.ndarray) -> str:
    packed = b64encode(np.rint(64 * prices).astype("<i2").tobytes()).decode()
    return f'{name}: Final = """\n' + "\n".join(wrap(packed, 116)) + '\n"""\n'


def first_passes(hands: int, first: int) -> Iterator[Position]:
    """The positions of the first seat to pass, one of each classic hand with a pass."""
    while hands:
        game = dealt(table("classic"), first)
        first += 1
        if game.stage is Stage.PASS:
            hands -= 1
            yield position(view(game, game.to_act[0]))


def masks(place: Position) -> list[int]:
    """Every pass."""
    return [sum(1 << card for card in cards) for cards in combinations(place.held.faces(), place.rules.pass_count)]


def tried(place: Position, arms: list[int], deals: int, seed: int) -> dict[int, Arm]:
    """The results by arm, all over the same deals."""
    found: dict[int, Arm] = {}
    for start in range(0, len(arms), AT_ONCE):
        some = arms[start : start + AT_ONCE]
        found |= zip(some, measured(knowledge(place), some, deals * len(some), seed), strict=True)
    return found


class Fit:
    """The sums for a least-squares fit of a table."""

    def __init__(self, near: float) -> None:
        self.near = near
        self.curve, self.slope = RIDGE * np.eye(ENTRIES), np.zeros(ENTRIES)

    def add(self, notes: np.ndarray, cost: np.ndarray) -> None:
        """Adds a hand: by pass, how often each entry counts, and the cost."""
        share = np.exp((cost.min() - cost) / self.near)
        share /= share.sum()
        notes, cost = notes - share @ notes, cost - share @ cost
        self.curve += (notes * share[:, None]).T @ notes
        self.slope += notes.T @ (cost * share)

    def prices(self) -> np.ndarray:
        return np.linalg.solve(self.curve, self.slope)


def noted(held: int, given: list[int]) -> np.ndarray:
    """By pass, how often each entry of a table counts for what is kept of the mask `held`."""
    notes = np.zeros((len(given), ENTRIES))
    for number, mask in enumerate(given):
        for suit, kind in enumerate(KINDS):
            np.add.at(notes[number], entries((held & ~mask) >> 13 * suit & 8191, kind), 1)
    return notes


def fitted(hands: int, first: int) -> tuple[np.ndarray, np.ndarray]:
    """The tables for ducking and for shooting."""
    fits = Fit(NEAR[0]), Fit(NEAR[1])
    for number, place in enumerate(first_passes(hands, first)):
        given = masks(place)
        notes = noted(place.held.mask, given)
        for shoots, fit in enumerate(fits):
            arms = tried(place, [mask * 2 + shoots for mask in given], DEALS, number).values()
            if not shoots or max(arm.moons for arm in arms) >= LIKELY:
                fit.add(notes, np.array([arm.cost for arm in arms]))
    return fits[0].prices(), fits[1].prices()


def missed(hands: int) -> str:
    """Measures the loss because only some passes are considered, in points a pass."""
    lost = []
    for place in first_passes(hands, FIRST // 2):
        every = [mask * 2 + shoots for mask in masks(place) for shoots in (0, 1)]
        shallow = tried(place, every, DEALS, 2)
        considered = pass_arms(place, knowledge(place))
        some = [min(every, key=lambda code: shallow[code].cost), *considered]
        deep = {code: arm.cost for code, arm in tried(place, some, 10 * DEALS, 1).items()}
        lost.append(max(0.0, min(deep[code] for code in considered) - deep[some[0]]))
    return f"{fmean(lost):.2f} points a pass in {hands} hands"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.passes")
    parser.add_argument("--hands", type=int, default=1000)
    parser.add_argument("--first", type=int, default=FIRST, help="the number of the first deal")
    parser.add_argument("--missed", action="store_true", help="what the present tables miss")
    asked = parser.parse_args()
    warm_up()
    if asked.missed:
        report(missed(asked.hands))
    else:
        sys.stdout.write(text_of(*fitted(asked.hands, asked.first)))


if __name__ == "__main__":
    main()
