"""Machines with so many processors, and how long work waits for them in a day."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from bench.growth.traced import DAY, HOUR, Seconds, Work

# What is served first. Web processes and workers share processors evenly, so that pages do come first as long as they
# need less than half of them.
GROUPS: Final = ((Work.PAGE, Work.TURN), (Work.LOOK,), (Work.EMAIL,))
PATIENCE: Final = {Work.PAGE: 1.0, Work.TURN: 1.0, Work.LOOK: 60.0, Work.EMAIL: 300.0}
"""The seconds that work may wait before it is begun."""


class Cost(NamedTuple):
    """Seconds of processor."""

    ours: float
    database: float


@dataclass(frozen=True)
class Fleet:
    """So many processors for `web` and `worker`, and for PostgreSQL; a single machine has the same for both."""

    ours: int
    database: int
    is_one: bool = False

    @property
    def pools(self) -> dict[str, int]:
        """The processors, by what they are for."""
        return {"processors": self.ours} if self.is_one else {"web and worker": self.ours, "database": self.database}


class Day(NamedTuple):
    """A day of a fleet: how long work waited at most in seconds, and the share of each pool's processors in use."""

    waits: Mapping[tuple[Work, str], float]
    """By work and by what it waited for."""
    used: Mapping[str, float]
    busiest: Mapping[str, float]
    """The same in the busiest hour."""

    @property
    def limits(self) -> dict[tuple[Work, str], float]:
        """How many times as long as it may each work waited."""
        return {(work, pool): wait / PATIENCE[work] for (work, pool), wait in self.waits.items()}

    @property
    def is_good(self) -> bool:
        return max(self.limits.values()) <= 1


def day(fleet: Fleet, demand: Mapping[Work, Seconds], costs: Mapping[Work, Cost], games: int, seed: int = 1) -> Day:
    """The second of two days alike, with so many games; `demand` is of one of them, in each second."""
    rng = np.random.default_rng(seed)
    asked = {work: rng.poisson(np.tile(demand[work] * games, 2)) for work in Work}
    waits: dict[tuple[Work, str], float] = {}
    used, busiest = {}, {}
    for pool, processors in fleet.pools.items():
        total = np.zeros(len(asked[Work.PAGE]))
        for group in GROUPS:
            for work in group:
                total += asked[work] * _cost(fleet, pool, costs[work])
            longest = _backlog(total, processors)[len(total) // 2 :].max() / processors
            waits |= {(work, pool): float(longest) for work in group}
        used[pool] = float(total.mean() / processors)
        busiest[pool] = float(total.reshape(-1, HOUR).mean(axis=1).max() / processors)
    return Day(waits, used, busiest)


def most_games(fleet: Fleet, demand: Mapping[Work, Seconds], costs: Mapping[Work, Cost]) -> int:
    """With how many games nothing waits for too long, to one part in fifty."""
    of_a_game = {
        pool: sum(float(demand[work].sum()) * _cost(fleet, pool, costs[work]) for work in Work) for pool in fleet.pools
    }
    low, high = 0, 1 + int(min(DAY * processors / of_a_game[pool] for pool, processors in fleet.pools.items()))
    while high - low > max(1, high // 50):
        middle = (low + high) // 2
        low, high = (middle, high) if day(fleet, demand, costs, middle).is_good else (low, middle)
    return low


def best_fleet(machines: int, processors: int, demand: Mapping[Work, Seconds], costs: Mapping[Work, Cost]) -> Fleet:
    """Machines of so many processors each, shared so that they carry the most games."""
    if machines == 1:
        return Fleet(processors, processors, is_one=True)
    ours = sum(float(demand[work].sum()) * costs[work].ours for work in Work)
    database = sum(float(demand[work].sum()) * costs[work].database for work in Work)
    near = round(machines * database / (ours + database))
    tried = {min(max(near + more, 1), machines - 1) for more in (-1, 0, 1)}
    fleets = [Fleet((machines - of_database) * processors, of_database * processors) for of_database in tried]
    return max(fleets, key=lambda fleet: most_games(fleet, demand, costs))


def _cost(fleet: Fleet, pool: str, cost: Cost) -> float:
    if fleet.is_one:
        return cost.ours + cost.database
    return cost.database if pool == "database" else cost.ours


def _backlog(work: Seconds, processors: int) -> Seconds:
    """The seconds of processor that wait at the end of each second."""
    unfinished = np.cumsum(work - processors)
    backlog: Seconds = unfinished - np.minimum(np.minimum.accumulate(unfinished), 0)
    return backlog
