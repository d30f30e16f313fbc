"""Measures how far the robot may trust the moons of its roll-outs: what they promise, and what becomes of it in play.

    python -m bench.moons --before ../older --hands 300    one seat with 10 ms a choice, the others by another checkout

A line takes those choices of the seat that are to shoot the moon, by how often roll-outs shot it, and says how often
the hand ended so. The cost is how many points more than the others on average the seat got.
"""

import argparse
import random
from collections import defaultdict
from collections.abc import Iterator
from statistics import fmean
from typing import NamedTuple

from bench.elsewhere import robot_in
from bench.robot import Player, dealt, report, table
from hearts.game import Game, Stage, apply
from hearts.robot import Level, consider, playouts_in, warm_up
from hearts.robot.choice import _by_search, _searched
from hearts.robot.claiming import the_rest
from hearts.robot.race import Arm
from hearts.robot.reading import Position, position
from hearts.turns import Turn
from hearts.view import view

MS = 10
FIRST = 6 * 10**5
"""The number of the first deal."""
STEPS = 10
"""How many classes of promises there are."""


class Attempt(NamedTuple):
    """A choice that is to shoot the moon."""

    passes: bool
    promised: float
    """How often roll-outs shot it, from 0 to 1."""
    shot: bool
    cost: float


def chosen(place: Position, seed: int) -> tuple[Turn, Arm | None]:
    """The robot's turn, and its best arm; None if it needed no search."""
    if place.stage is Stage.MOON or the_rest(place):
        return consider(place, seed=seed).turn, None
    found = _searched(place, playouts_in(place, MS), seed, None)
    return _by_search(place, found, Level.STRONG, seed).turn, found.arms[0]


def attempts(game: Game, side: int, others: Player, rng: random.Random) -> Iterator[Attempt]:
    """Plays a hand with the robot in the seat `side`."""
    tries = []
    while not game.scores:
        seen = view(game, game.to_act[0])
        if seen.seat != side:
            game = apply(game, others(seen, rng))
            continue
        turn, arm = chosen(position(seen), rng.getrandbits(30))
        if arm and arm.shoots:
            tries.append((seen.stage is Stage.PASS, arm.moons))
        game = apply(game, turn)
    score = game.scores[-1]
    mine = score.points[side]
    cost = mine - (sum(score.points) - mine) / (len(score.points) - 1)
    yield from (Attempt(passes, promised, score.moon == side, cost) for passes, promised in tries)


def lines(found: list[Attempt]) -> Iterator[str]:
    classes = defaultdict(list)
    for attempt in found:
        classes[not attempt.passes, int(attempt.promised * STEPS)].append(attempt)
    for (plays, _), some in sorted(classes.items()):
        promised, shot, cost = (fmean(getattr(it, name) for it in some) for name in ("promised", "shot", "cost"))
        kind = "cards" if plays else "passes"
        yield f"{kind:7} {len(some):4}: promised {promised:.2f}, shot {shot:.2f}; cost {cost:+.1f} points"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.moons")
    parser.add_argument("--before", default=".", metavar="FOLDER", help="the checkout whose robot plays the others")
    parser.add_argument("--before-ms", type=int, default=4, help="milliseconds for its choices")
    parser.add_argument("--hands", type=int, default=300)
    asked = parser.parse_args()
    warm_up()
    others, found = robot_in(asked.before, asked.before_ms), []
    for number in range(FIRST, FIRST + asked.hands):
        found += attempts(dealt(table("classic"), number), number % 4, others, random.Random(number))
    for text in lines(found):
        report(text)


if __name__ == "__main__":
    main()
