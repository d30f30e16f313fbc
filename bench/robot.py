"""How strong the robot is: duplicate deals with rotated seats, one seat of a player against all others of another.

    python -m bench.robot                     the whole table
    python -m bench.robot strong rule 100     one line: 100 deals, each played once with `strong` in every seat

The advantage is what the others got more, in points a hand; ± is one standard error over deals.
"""

import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean, stdev

from hearts.cards import Card, Cards, rank
from hearts.deal import deal
from hearts.game import Game, Stage, apply
from hearts.robot import Level, consider
from hearts.robot import bits
from hearts.robot.policy import pick
from hearts.robot.reading import position, replayed, table_numbers
from hearts.rules import Rules, preset_rules
from hearts.seats import Seat, side_of
from hearts.turns import Moon, MoonChoice, Pass, Play, Turn
from hearts.view import View, view

Player = Callable[[View, random.Random], Turn]


def at_random(seen: View, rng: random.Random) -> Turn:
    if seen.stage is Stage.PASS:
        return Pass(seen.seat, Cards.of(rng.sample(list(seen.held), seen.rules.pass_count)))
    if seen.stage is Stage.MOON:
        return Moon(seen.seat, MoonChoice.ADD)
    return Play(seen.seat, rng.choice(list(seen.legal)))


def lowest_card(seen: View, rng: random.Random) -> Turn:
    """The usual time-out play; passes are by the rule player."""
    if seen.stage is Stage.PLAY:
        return Play(seen.seat, min(seen.legal, key=lambda card: (rank(card), card)))
    return consider(seen, level=Level.RULE).turn


def rule(seen: View, rng: random.Random) -> Turn:
    return consider(seen, level=Level.RULE).turn


def blind(seen: View, rng: random.Random) -> Turn:
    """The rule player that does not stop moons."""
    if seen.stage is not Stage.PLAY:
        return rule(seen, rng)
    place = position(seen)
    rules = table_numbers(place)
    state = replayed(place, rules)
    state[bits.STOPS + seen.seat] = 0
    return Play(seen.seat, Card(pick(state, rules)))


def searcher(playouts: int) -> Player:
    def play(seen: View, rng: random.Random) -> Turn:
        return consider(seen, level=Level.STRONG, playouts=playouts, seed=rng.getrandbits(32)).turn

    return play


def rule_pass(playouts: int) -> Player:
    """Passes by rule, plays by search."""
    search = searcher(playouts)
    return lambda seen, rng: rule(seen, rng) if seen.stage is Stage.PASS else search(seen, rng)


def player(name: str) -> Player:
    if name.isdigit():
        return searcher(int(name))
    if name.startswith("rp"):
        return rule_pass(int(name[2:]))
    named = {"random": at_random, "lowest": lowest_card, "rule": rule, "blind": blind}
    return named[name]


@dataclass
class Tally:
    mine: list[float]
    theirs: list[float]
    moons: int = 0
    their_moons: int = 0
    hands: int = 0
    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0

    def line(self) -> str:
        edges = [theirs - mine for mine, theirs in zip(self.mine, self.theirs, strict=True)]
        error = stdev(edges) / len(edges) ** 0.5 if len(edges) > 1 else 0.0
        return (
            f"{fmean(self.mine):6.2f} {fmean(self.theirs):6.2f} {fmean(edges):+6.2f} ± {error:.2f}"
            f"  moons {100 * self.moons / self.hands:.1f} % (theirs {100 * self.their_moons / self.hands:.1f} %)"
            f"  {1000 * self.seconds / max(1, self.decisions):.2f} ms a decision, {1000 * self.slowest:.0f} at most"
        )


def duel(rules: Rules, one: Player, others: Player, deals: int, seed: int = 1) -> Tally:
    """`deals` deals, each played with `one` in every seat (or pair of partners) in turn, and `others` in the rest."""
    tally = Tally([], [])
    places = 2 if rules.partnership else rules.players
    for number in range(deals):
        rng = random.Random(f"{seed} {number}")
        dealt = deal(rules, Seat(number % rules.players), rng)
        start = apply(_before(rules, number), dealt)
        mine, theirs = 0.0, 0.0
        for place in range(places):
            points, moon = _hand(start, one, others, place, rng, tally)
            sides = len(points)
            mine += points[place] / places
            theirs += (sum(points) - points[place]) / (sides - 1) / places
            tally.hands += 1
            tally.moons += moon == place
            tally.their_moons += moon not in (None, place)
        tally.mine.append(mine)
        tally.theirs.append(theirs)
    return tally


def _before(rules: Rules, number: int) -> Game:
    """A game whose next hand has the next direction of passing, with all totals at nought."""
    game = Game(rules)
    game.hand = number % 12
    return game


def _hand(
    game: Game, one: Player, others: Player, place: int, rng: random.Random, tally: Tally
) -> tuple[tuple[int, ...], int | None]:
    hand = len(game.scores)
    while len(game.scores) == hand:
        seat = game.to_act[0]
        seen = view(game, seat)
        if side_of(seat, partnership=game.rules.partnership) == place:
            began = time.perf_counter()
            turn = one(seen, rng)
            spent = time.perf_counter() - began
            tally.seconds += spent
            tally.slowest = max(tally.slowest, spent)
            tally.decisions += 1
        else:
            turn = others(seen, rng)
        game = apply(game, turn)
    return game.scores[-1].points, game.scores[-1].moon


def main() -> None:
    preset, _, players = sys.argv[1].partition(":")
    rules = preset_rules(preset, **({"players": int(players)} if players else {}))
    one, others, deals = sys.argv[2], sys.argv[3], int(sys.argv[4])
    began = time.perf_counter()
    tally = duel(rules, player(one), player(others), deals)
    sys.stdout.write(f"{sys.argv[1]} {one} against {others}: {tally.line()}  ({time.perf_counter() - began:.0f} s)\n")


if __name__ == "__main__":
    main()
