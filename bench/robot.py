"""Measures the robot's strength and speed with duplicate deals and rotated seats, one seat of X against others of Y.

    python -m bench.robot                            the whole table, some ten minutes
    python -m bench.robot --deals 10                 the same with fewer deals
    python -m bench.robot --table club:3 2000 rule   one line: 2,000 roll-outs against the rule player
    python -m bench.robot --before ../older 10ms before   one line: 10 ms a move against another checkout's robot;
                                                     with --before-ms 10 against the same time

A player is a number of roll-outs or of milliseconds, `before` (the other checkout's level strong), `random`, `lowest`
(plays and passes its lowest cards), `rule`, `careless` (the rule player, but it does not stop moons), or `PASS+N`
(passes by rule, plays with N roll-outs). The advantage is how many points per hand more the others got; ± is one
standard error over deals.
"""

import argparse
import gc
import random
import resource
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from statistics import fmean, median, stdev

import psutil

from bench.elsewhere import robot_in
from hearts.cards import Card, Cards, rank
from hearts.claim import claim
from hearts.deal import deal
from hearts.game import Game, Stage, apply, new_game
from hearts.review import review
from hearts.robot import Level, bits, choose, consider, playouts_in, warm_up
from hearts.robot.policy import pick
from hearts.robot.reading import position, replayed, table_numbers
from hearts.rules import Rules, preset_rules
from hearts.seats import Seat, side_of
from hearts.turns import Moon, MoonChoice, Pass, Play, Turn
from hearts.view import View, view

Player = Callable[[View, random.Random], Turn]
HANDS = 10
DECISIONS = 4000

LINES = (
    # table, player, others, times as many deals, aim
    ("classic", "lowest", "rule", 8, ""),
    ("classic", "rule", "rule", 8, "the points of a hand"),
    ("classic", "random", "rule", 4, ""),
    ("classic", "2000", "random", 1, ""),
    ("classic", "2000", "lowest", 1, ""),
    ("classic", "2000", "careless", 3, "at least +5.0"),
    ("classic", "2000", "rule", 3, "at least +2.0"),
    ("classic", "PASS+2000", "rule", 3, "0.3 less than the line above"),
    ("classic", "500", "rule", 2, ""),
    ("classic", "2000", "500", 1, ""),
    ("classic:3", "1000", "rule", 1, "not below nought"),
    ("classic:5", "1000", "rule", 1, "not below nought"),
    ("classic:7", "1000", "rule", 1, "not below nought"),
    ("traditional:4", "1000", "rule", 1, "not below nought"),
    ("rulebook:6", "1000", "rule", 1, "not below nought"),
    ("club:4", "1000", "rule", 1, "not below nought"),
    ("partners", "1000", "rule", 1, "not below nought"),
    ("omnibus:4", "1000", "rule", 1, "not below nought"),
    ("kitty:5", "1000", "rule", 1, "not below nought"),
    ("cancellation:6", "1000", "rule", 1, "not below nought"),
    ("cancellation:9", "1000", "rule", 1, "not below nought"),
    ("cancellation:11", "1000", "rule", 1, "not below nought"),
)


def at_random(seen: View, rng: random.Random) -> Turn:
    if seen.stage is Stage.PASS:
        return Pass(seen.seat, Cards.of(rng.sample(list(seen.held), seen.rules.pass_count)))
    if seen.stage is Stage.MOON:
        return Moon(seen.seat, MoonChoice.ADD)
    return Play(seen.seat, rng.choice(list(seen.legal)))


def lowest(seen: View, rng: random.Random) -> Turn:
    """The usual turn of other services for a player who missed a deadline."""
    if seen.stage is Stage.MOON:
        return Moon(seen.seat, MoonChoice.ADD)
    if seen.stage is Stage.PASS:
        return Pass(seen.seat, Cards.of(sorted(seen.held, key=_height)[: seen.rules.pass_count]))
    return Play(seen.seat, min(seen.legal, key=_height))


def _height(card: Card) -> tuple[int, int]:
    return rank(card), card


def careless(seen: View, rng: random.Random) -> Turn:
    """The rule player, but it does not stop moons."""
    if seen.stage is not Stage.PLAY:
        return choose(seen, rng)
    place = position(seen)
    rules = table_numbers(place)
    state = replayed(place, rules)
    state[bits.STOPS + seen.seat] = 0
    return Play(seen.seat, Card(pick(state, rules)))


def searcher(playouts: int) -> Player:
    def play(seen: View, rng: random.Random) -> Turn:
        return consider(seen, playouts=playouts, seed=rng.getrandbits(32)).turn

    return play


def rule_passer(playouts: int) -> Player:
    search = searcher(playouts)
    return lambda seen, rng: (choose if seen.stage is Stage.PASS else search)(seen, rng)


def timed(ms: int) -> Player:
    """Returns a player with as many roll-outs as an ordinary core plays in `ms` milliseconds."""

    def play(seen: View, rng: random.Random) -> Turn:
        place = position(seen)
        return consider(place, playouts=playouts_in(place, ms), seed=rng.getrandbits(32)).turn

    return play


def player(name: str, checkout: str = "", before_ms: int | None = None) -> Player:
    if name.isdigit():
        return searcher(int(name))
    if name.endswith("ms"):
        return timed(int(name.removesuffix("ms")))
    if name == "before":
        return robot_in(checkout, before_ms)
    if name.startswith("PASS+"):
        return rule_passer(int(name.removeprefix("PASS+")))
    return {"random": at_random, "lowest": lowest, "rule": choose, "careless": careless}[name]


def table(name: str) -> Rules:
    preset, _, players = name.partition(":")
    return preset_rules(preset, **({"players": int(players)} if players else {}))


@dataclass
class Tally:
    """The points of one player and of the others in each deal, on average over the seats."""

    mine: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)
    hands: int = 0
    moons: int = 0
    their_moons: int = 0
    spent: list[float] = field(default_factory=list)
    """The processor time of each decision in seconds."""

    def text(self) -> str:
        edges = [theirs - mine for mine, theirs in zip(self.mine, self.theirs, strict=True)]
        error = stdev(edges) / len(edges) ** 0.5 if len(edges) > 1 else 0.0
        moons, their_moons = (100 * count / self.hands for count in (self.moons, self.their_moons))
        return (
            f"{len(edges):4} {fmean(self.mine):6.2f} {fmean(self.theirs):6.2f} {fmean(edges):+6.2f} ± {error:.2f}"
            f" {moons:5.1f} % {their_moons:5.1f} % {1000 * fmean(self.spent):7.2f} {1000 * median(self.spent):6.2f}"
            f" {1000 * max(self.spent):6.0f}"
        )


HEADING = (
    "table                     X against Y    deals      X      Y  advantage     moons of X, Y   ms: mean, median, most"
)


def duel(rules: Rules, one: Player, others: Player, deals: int) -> Tally:
    """The tally of `deals` deals, each played with `one` in every seat (or side) in turn, and `others` in the rest."""
    tally = Tally()
    for number in range(deals):
        start = dealt(rules, number)
        rng = random.Random(number)
        results = [_hand(start, one, others, side, rng, tally) for side in range(rules.sides)]
        tally.mine.append(fmean(points[side] for side, points in enumerate(results)))
        rest = [(sum(points) - points[side]) / (rules.sides - 1) for side, points in enumerate(results)]
        tally.theirs.append(fmean(rest))
    return tally


def dealt(rules: Rules, number: int) -> Game:
    """A deal with the next direction of passing and the next dealer, and with all totals at zero."""
    game = new_game(rules)
    game.hand = number % 12
    return apply(game, deal(rules, Seat(number % rules.players), random.Random(f"deal {number}")))


def _hand(game: Game, one: Player, others: Player, side: int, rng: random.Random, tally: Tally) -> tuple[int, ...]:
    """Plays a hand; returns its points by side."""
    while not game.scores:
        seat = game.to_act[0]
        seen = view(game, seat)
        if side_of(seat, partnership=game.rules.partnership) == side:
            began = time.process_time()
            turn = one(seen, rng)
            tally.spent.append(time.process_time() - began)
        else:
            turn = others(seen, rng)
        game = apply(game, turn)
    tally.hands += 1
    tally.moons += game.scores[-1].moon == side
    tally.their_moons += game.scores[-1].moon not in (None, side)
    return game.scores[-1].points


def some_views(hands: int) -> list[View]:
    """The views at every decision of some classic hands that rule players play."""
    views, rng = [], random.Random(1)
    for number in range(hands):
        game = dealt(Rules(), number)
        while not game.scores:
            views.append(view(game, game.to_act[0]))
            game = apply(game, choose(views[-1], rng))
    return views


def speeds() -> Iterator[str]:
    """The processor time of a decision and of a roll-out."""
    views, rng = some_views(20), random.Random(1)
    began = time.process_time()
    for seen in views:
        choose(seen, rng)
    yield f"rule level: {(time.process_time() - began) / len(views) * 1e6:.0f} µs a decision, one by one from a view"
    for playouts in (500, 2000, 4000):
        began, played, most = time.process_time(), 0, 0.0
        for seen in views[::5]:
            start = time.process_time()
            played += consider(seen, playouts=playouts, seed=1).playouts
            most = max(most, time.process_time() - start)
        spent = time.process_time() - began
        yield (
            f"at most {playouts} roll-outs: {spent / len(views[::5]) * 1000:.1f} ms a decision, "
            f"{most * 1000:.0f} ms at most; {played / spent:,.0f} roll-outs a second"
        )


def reviews() -> Iterator[str]:
    """The time for the review of a hand, and how often a seat can claim the rest."""
    spent, opinions, claims, saved = [], 0, 0, 0
    for number in range(HANDS):
        before, turns = _hand_of_rule_players(number)
        began = time.process_time()
        opinions += len(review(before, turns, seed=number))
        spent.append(time.process_time() - began)
        left = _plays_claimed(before, turns)
        claims, saved = claims + (left > 0), saved + left
    yield (
        f"review of a hand: {fmean(spent):.2f} s, {max(spent):.2f} s at most; {opinions / len(spent):.0f} decisions; "
        f"the rest could be claimed in {claims} of {len(spent)} hands, {saved / len(spent):.1f} plays a hand"
    )


def _hand_of_rule_players(number: int) -> tuple[Game, list[Turn]]:
    """The game before a classic hand, and its turns."""
    before = new_game(Rules())
    before.hand = number % 12
    game, turns, rng = dealt(Rules(), number), [], random.Random(number)
    assert game.deal is not None
    turns.append(game.deal)
    while not game.scores:
        turns.append(choose(view(game, game.to_act[0]), rng))
        game = apply(game, turns[-1])
    return before, turns


def _plays_claimed(game: Game, turns: list[Turn]) -> int:
    """How many plays were left when a seat on lead could first claim the rest; 0 if none could."""
    for turn in turns:
        if game.stage is Stage.PLAY and (found := claim(view(game, game.to_act[0]))):
            return len(found.cards) * game.rules.players
        game = apply(game, turn)
    return 0


def memory() -> Iterator[str]:
    """The peak memory of a decision, and what a process retains after a few thousand."""
    views, process = some_views(HANDS), psutil.Process()
    for name, level, playouts in (("rule level", Level.RULE, 0), ("at most 4000 roll-outs", Level.STRONG, 4000)):
        peaks = [_peak(seen, level, playouts) for seen in views[::5]]
        yield f"{name}: {fmean(peaks):.0f} kB a decision at its peak on average, {max(peaks):.0f} kB at most"
    for name, level, playouts in (("rule level", Level.RULE, 0), ("at most 100 roll-outs", Level.STRONG, 100)):
        gc.collect()
        before = process.memory_info().rss
        for number in range(DECISIONS):
            consider(views[number % len(views)], level=level, playouts=playouts, seed=number)
        grown = (process.memory_info().rss - before) / 1024
        yield f"{name}: the process grew by {grown:.0f} kB in {DECISIONS:,} decisions"


def _peak(seen: View, level: Level, playouts: int) -> float:
    """The peak memory of Python and of the inner loop's arrays during a decision, in kB."""
    tracemalloc.start()
    consider(seen, level=level, playouts=playouts, seed=1)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / 1024


def start_up() -> str:
    """The time until a new process has made its first choice by search, with the compiled code cached."""
    code = "from hearts.robot import warm_up; warm_up()"
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    took = time.perf_counter() - began
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return f"start-up of a process with the robot: {took:.2f} s, {most:.0f} MB"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.robot")
    parser.add_argument("players", nargs="*", help="X and Y: one line only")
    parser.add_argument("--table", default="classic", help="a preset, with :players where that is not four")
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--before", default=".", metavar="FOLDER", help="the checkout whose robot plays as `before`")
    parser.add_argument("--before-ms", type=int, help="milliseconds for its choices; otherwise its usual time")
    asked = parser.parse_args()
    warm_up()
    lines = LINES
    if asked.players:
        lines = ((asked.table, *asked.players, 1, ""),)
    else:
        report(start_up())
        for text in chain(speeds(), memory(), reviews()):
            report(text)
    report(HEADING)
    for name, one, others, times, aim in lines:
        seats = [player(it, asked.before, asked.before_ms) for it in (one, others)]
        tally = duel(table(name), *seats, asked.deals * times)
        report(f"{name:16} {one:>10} {others:10} {tally.text()}  {aim}")


def report(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
