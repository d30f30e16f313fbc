"""Measures what the robot's choices cost, by a much deeper search of the same positions with the same roll-outs.

    python -m bench.regret                           milliseconds 3 and 10, passes and cards
    python -m bench.regret --ms 10 --positions 600   more positions
    python -m bench.regret --truth found.json        keeps the deep search in a file, for the next time

The regret of a choice is how much more it costs than the best one, in the units of the robot's costs (a point of its
own less a point of others). It shows with few positions how well a search uses its time; whether roll-outs and drawn
deals are like real hands, only `bench.robot` shows. ± is one standard error over positions.
"""

import argparse
import json
import random
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import fmean, stdev

from bench.passes import masks, tried
from bench.robot import dealt, report, table
from hearts.game import Stage, apply
from hearts.robot import consider, has_a_choice, playouts_in, warm_up
from hearts.robot.choice import _alternative, _arms, _twins
from hearts.robot.claiming import the_rest
from hearts.robot.knowledge import knowledge
from hearts.robot.position import parse_position, position_mapping
from hearts.robot.race import measured
from hearts.robot.reading import Position, position
from hearts.turns import Play, Turn
from hearts.view import view

DEEP = 1500
"""The deals of the deep search."""
SHALLOW = 120
"""The deals after which it keeps the better arms of a pass."""
KEPT = 50
"""How many."""
FIRST = 5 * 10**6
"""The number of the first deal."""

Truth = dict[str, float]
"""By alternative, as the inner loop writes it: the cost in points."""


def some_positions(name: str, wanted: int, stage: Stage) -> Iterator[Position]:
    """Positions with a choice, one of each hand, that are reached with a few roll-outs a card."""
    number = FIRST
    while wanted:
        number += 1
        game, rng = dealt(table(name), number), random.Random(number)
        left = rng.randrange(12 * game.rules.players) if stage is Stage.PLAY else 0
        while not game.scores:
            seen = view(game, game.to_act[0])
            place = position(seen)
            if seen.stage is stage:
                left -= 1
                if left < 0 and has_a_choice(place) and not the_rest(place):
                    yield place
                    wanted -= 1
                    break
            game = apply(game, consider(place, playouts=60, seed=rng.getrandbits(30)).turn)


def truth(place: Position) -> Truth:
    """The cost of each alternative, of all passes for a pass, by the deep search."""
    knows = knowledge(place)
    if place.stage is Stage.PASS:
        arms = _better(place, _arms(knows, masks(place)))
    else:
        arms = _arms(knows, list(_twins(place, knows.state, knows.rules)))
    found: Truth = {}
    for arm in measured(knowledge(place), arms, DEEP * len(arms), 7):
        found[str(arm.alternative)] = min(arm.cost, found.get(str(arm.alternative), arm.cost))
    return found


def _better(place: Position, arms: list[int]) -> list[int]:
    """The better arms by a shallow search."""
    found = tried(place, arms, SHALLOW, 6)
    return sorted(arms, key=lambda code: found[code].cost)[:KEPT]


def regret(place: Position, found: Truth, turn: Turn) -> float:
    """How much more a turn costs than the best; an alternative that the deep search dropped costs as the worst."""
    best = min(found.values())
    chosen = _alternative(turn)
    if isinstance(turn, Play):
        knows = knowledge(place)
        twins = _twins(place, knows.state, knows.rules)
        chosen = next(first for first, group in twins.items() if chosen in group)
    return found.get(str(chosen), max(found.values())) - best


def line(name: str, places: Iterable[tuple[Position, Truth]], ms: int) -> str:
    """The mean regret of choices of at most `ms` milliseconds, and the processor time that they take."""
    regrets, spent = [], []
    for number, (place, found) in enumerate(places):
        began = time.process_time()
        choice = consider(place, playouts=playouts_in(place, ms), seed=number)
        spent.append(1000 * (time.process_time() - began))
        regrets.append(regret(place, found, choice.turn))
    error = stdev(regrets) / len(regrets) ** 0.5
    took = f"{fmean(spent):.1f} ms, {max(spent):.1f} at most"
    return f"{name:8} {ms:3} ms: {fmean(regrets):.3f} ± {error:.3f}; took {took}"


def kept(file: str, name: str, wanted: int) -> dict[str, list[tuple[Position, Truth]]]:
    """By stage: the positions with their truths, from the file if there is one."""
    if file and Path(file).exists():
        texts = json.loads(Path(file).read_text())
        return {stage: [(parse_position(it), found) for it, found in some] for stage, some in texts.items()}
    places = {
        stage: [(place, truth(place)) for place in some_positions(name, number, stage)]
        for stage, number in ((Stage.PASS, wanted // 4), (Stage.PLAY, wanted))
    }
    if file:
        texts = {stage: [(position_mapping(it), found) for it, found in some] for stage, some in places.items()}
        Path(file).write_text(json.dumps(texts))
    return places


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.regret")
    parser.add_argument("--table", default="classic", help="a preset, with :players where that is not four")
    parser.add_argument("--positions", type=int, default=400, help="cards; there are a quarter as many passes")
    parser.add_argument("--ms", type=int, nargs="*", default=[3, 10])
    parser.add_argument("--truth", default="", metavar="FILE", help="where the deep search is kept")
    asked = parser.parse_args()
    warm_up()
    places = kept(asked.truth, asked.table, asked.positions)
    for ms in asked.ms:
        for stage, some in places.items():
            report(line(stage, some, ms))


if __name__ == "__main__":
    main()
