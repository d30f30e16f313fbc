"""The bench of moons compares what roll-outs promise with what happens."""

from bench.moons import Attempt, lines


def test_promises_are_grouped_and_compared_with_the_ends_of_hands():
    found = [
        Attempt(passes=False, promised=0.92, shot=True, cost=-26),
        Attempt(passes=False, promised=0.98, shot=False, cost=10),
        Attempt(passes=False, promised=0.5, shot=False, cost=4),
        Attempt(passes=True, promised=0.95, shot=True, cost=-26),
    ]
    assert list(lines(found)) == [
        "passes     1: promised 0.95, shot 1.00; cost -26.0 points",
        "cards      1: promised 0.50, shot 0.00; cost +4.0 points",
        "cards      2: promised 0.95, shot 0.50; cost -8.0 points",
    ]
