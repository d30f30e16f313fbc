"""The disturbances of a run follow from its seed."""

import random
from itertools import islice

from tests.chaos.disturbances import Kind, plan

KINDS = [Kind(name, "group", lambda *_: None) for name in ("one", "two", "three")]


def planned(seed: int, seconds: float = 1000.0) -> list[tuple[float, float, str]]:
    return [(one.at, one.seconds, one.kind.name) for one in plan(KINDS, seconds, random.Random(seed))]


def test_the_same_seed_breaks_the_same_at_the_same_times() -> None:
    assert planned(1) == planned(1) != planned(2)


def test_each_kind_comes_before_any_comes_again() -> None:
    names = iter(name for *_, name in planned(1, 300))
    while (round_of := set(islice(names, len(KINDS)))) == {"one", "two", "three"}:
        pass
    assert len(round_of) < len(KINDS)


def test_all_is_over_when_the_time_is() -> None:
    ends = [at + seconds for at, seconds, _ in planned(3, 60)]
    assert len(ends) > 5
    assert max(ends) <= 60
