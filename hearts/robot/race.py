"""A race of alternatives: all are played over the same deals, round by round, and those clearly behind drop out.

Its course depends only on the position, the seed and the number of roll-outs, not on the machine or on whether the
inner loop is compiled. So a choice can be reproduced from the record.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt
from statistics import NormalDist
from typing import Any, Final

from hearts.robot import bits, search
from hearts.robot.knowledge import Knowledge
from hearts.robot.prices import prices

_ROUND: Final = 8
"""The least number of deals in a round; the last one may have fewer, if no more roll-outs are allowed."""
_GROWTH: Final = 4
"""The earlier deals for each deal of a new round: a deal is quick, and a new round costs as much as a few deals."""
_BEHIND: Final = 2.5
"""The standard errors behind the best arm at which an arm drops out."""
_LEAST: Final = 0.5
"""The least variance that a few roll-outs of an arm are trusted to show."""
_DOUBT: Final = 0.15
"""The standard errors, per seat beyond four, by which an arm must be ahead of the rule player's choice."""
_NORMAL: Final = NormalDist()
_WORD: Final = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Arm:
    """An alternative (a card, or the mask of a pass), with or without an attempt at the moon, and its mean results."""

    alternative: int
    shoots: bool
    deals: int
    cost: float
    """The cost in points; less is better."""
    own: float
    """The points of the robot's side."""
    moons: float
    """How often its side shot the moon, from 0 to 1."""
    rivals: float
    """How often another side did."""


@dataclass(slots=True)
class _Runner:
    code: int
    sums: list[int]
    deals: int = 0
    weight: float = 0.0
    """The sum of the weights of the deals in APART and SPREAD."""

    def mean(self) -> float:
        return self.sums[search.COST] / self.deals / bits.POINT

    def own(self) -> float:
        return self.sums[search.OWN] / self.deals

    def variance(self) -> float:
        """The variance of the mean."""
        mean = self.mean()
        return max(0.0, self.sums[search.SQUARES] / self.deals - mean * mean + 1) / self.deals

    def doubt(self) -> float:
        """The variance of the mean, as far as it is not that of all arms in the same deals."""
        apart = self.sums[search.APART] ** 2 / self.weight if self.weight else 0.0
        spread = max(0.0, self.sums[search.SPREAD] - apart) / self.deals / search.FINE**2
        return (spread + _LEAST) / self.deals

    def arm(self) -> Arm:
        moons, rivals = (self.sums[field] / self.deals for field in (search.MOONS, search.RIVALS))
        return Arm(self.code >> 1, bool(self.code & 1), self.deals, self.mean(), self.own(), moons, rivals)


def race(
    knows: Knowledge,
    arms: Sequence[int],
    habit: int,
    playouts: int,
    seed: int,
    stop: Callable[[], bool] | None = None,
    least_gain: float = 0.0,
) -> tuple[list[Arm], int]:
    """The arms, best first, and the number of roll-outs played: at most `playouts`, but at least one round.

    `habit` is the rule player's alternative. At tables of more than four it comes first unless it is clearly behind: a
    single card matters less there, and the best of many alternatives, each with few deals, looks better than it is.
    The race calls `stop` after each round, and ends once it returns True. It also ends once it expects that no arm is
    better than the best one by `least_gain` points, see `_expected_gain`.
    """
    track = _Track(knows, seed)
    runners = [_Runner(code, [0] * search.RESULTS) for code in arms]
    racing, used = runners, 0
    while deals := _next_round(racing, playouts - used):
        track.run(racing, deals)
        used += deals * len(racing)
        racing = _still_racing(racing)
        if _decided(racing) or (least_gain and _most_to_gain(racing) < least_gain) or (stop and stop()):
            break
    ranked = sorted(runners, key=lambda it: (it not in racing, it.mean()))
    first = _first(ranked, habit, _DOUBT * max(0, knows.rules[bits.PLAYERS] - 4))
    return [it.arm() for it in (first, *(other for other in ranked if other is not first))], used


def _next_round(racing: list[_Runner], playouts: int) -> int:
    """How many deals come next, with `playouts` roll-outs left; at least a whole first round."""
    before = racing[0].deals
    return min(max(_ROUND, before // _GROWTH), max(0, playouts // len(racing))) if before else _ROUND


def measured(knows: Knowledge, arms: Sequence[int], playouts: int, seed: int) -> list[Arm]:
    """All arms, played over the same deals: as many as `playouts` allows, at least one round; none drops out."""
    runners = [_Runner(code, [0] * search.RESULTS) for code in arms]
    _Track(knows, seed).run(runners, max(_ROUND, playouts // len(runners)))
    return [runner.arm() for runner in runners]


def _first(ranked: list[_Runner], habit: int, doubt: float) -> _Runner:
    best = ranked[0]
    usual = next(runner for runner in ranked if runner.code >> 1 == habit)
    return best if _behind(usual, best, doubt) else usual


def _behind(runner: _Runner, best: _Runner, errors: float) -> bool:
    return runner.mean() - best.mean() > errors * sqrt(runner.variance() + best.variance())


def _decided(racing: list[_Runner]) -> bool:
    """Whether all remaining arms have the same card, and its estimate is precise enough."""
    return len({runner.code >> 1 for runner in racing}) == 1 and racing[0].deals >= 2 * _ROUND


def _most_to_gain(racing: list[_Runner]) -> float:
    """The greatest expected gain of the arms behind the best; 0 if there is none."""
    best = min(racing, key=_Runner.mean)
    return max((_expected_gain(runner, best) for runner in racing if runner is not best), default=0.0)


def _expected_gain(runner: _Runner, best: _Runner) -> float:
    """By how many points the arm may be better than the best: the mean, which counts 0 wherever the arm is worse.

    After so few deals, the true difference of their costs has a normal distribution about the one that they showed.
    """
    doubt = sqrt(runner.doubt() + best.doubt())
    behind = (runner.mean() - best.mean()) / doubt
    return doubt * (_NORMAL.pdf(behind) - behind * _NORMAL.cdf(-behind))


def _still_racing(racing: list[_Runner]) -> list[_Runner]:
    best = min(racing, key=_Runner.mean)
    return [runner for runner in racing if not _far_behind(runner, best)]


def _far_behind(runner: _Runner, best: _Runner) -> bool:
    return runner.mean() - best.mean() > _BEHIND * sqrt(runner.doubt() + best.doubt())


class _Track:
    """The lists of a search, in the layout of the inner loop."""

    def __init__(self, knows: Knowledge, seed: int) -> None:
        self.roll, self.numbers, small = engine()
        knows.state[bits.RANDOM] = _scattered(seed)
        lists = (knows.state, knows.rules, knows.known, knows.unseen, knows.groups)
        self.start = [*(self.numbers(values) for values in lists), _table(small)]
        self.work = [self.numbers([0] * size) for size in (bits.WORK, bits.STATE, bits.STATE)]

    def run(self, racing: list[_Runner], deals: int) -> None:
        """Plays a round of `deals` deals for all of `racing`."""
        arms = self.numbers([runner.code for runner in racing])
        results = self.numbers([0] * (search.RESULTS * len(racing)))
        self.roll(*self.start, arms, results, *self.work, deals)
        found = list(map(int, results))
        for place, runner in enumerate(racing):
            runner.deals += deals
            runner.weight += deals * search.weight(len(racing))
            for field in range(search.RESULTS):
                runner.sums[field] += found[place * search.RESULTS + field]


def _scattered(seed: int) -> int:
    """A hash of the seed, so that neighbouring seeds give unrelated numbers."""
    word = (seed ^ seed >> 32) * 0x2545F4914F6CDD1D + 0x9E3779B97F4A7C15 & _WORD
    return (word ^ word >> 29) * 0x1B03738712FAD5C9 & _WORD


@cache
def _table(small: Callable[[list[int]], Any]) -> Any:
    """The table of prices, in the layout of the inner loop."""
    return small(prices())


_Engine = tuple[Callable[..., None], Callable[[list[int]], Any], Callable[[list[int]], Any]]
_PLAIN: Final[_Engine] = (search.roll, list, list)
_chosen: _Engine | None = None


def warm_up(*, caches: bool = True) -> None:
    """Loads the compiled inner loop in a second; if it must be compiled first, in twenty. Without `caches` it is
    compiled in memory: what is on disk may be damaged, or the disk full.

    A search that another thread begins meanwhile runs the plain source.
    """
    global _chosen
    _chosen = _chosen or _PLAIN
    roll, numbers, small = loaded = _compiled(caches=caches)
    start = (numbers([0] * size) for size in (bits.STATE, bits.RULES, bits.KNOWN, 0, 0))
    work = (numbers([0] * size) for size in (0, 0, bits.WORK, bits.STATE, bits.STATE))
    roll(*start, _table(small), *work, 0)
    _chosen = loaded


def engine() -> _Engine:
    """The inner loop, and the functions that make its lists and its table of prices."""
    if _chosen is None:
        warm_up()
    assert _chosen
    return _chosen


def _compiled(*, caches: bool) -> _Engine:
    """The compiled inner loop; the plain source if numba is not installed."""
    try:
        from hearts.robot import compiled
    except ModuleNotFoundError as error:
        if error.name != "numba":
            raise
        return _PLAIN
    return compiled.roll if caches else compiled.in_memory(), compiled.numbers, compiled.small_numbers
