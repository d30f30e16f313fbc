"""How long the simulated work waits for its processors."""

import numpy as np
import pytest

from bench.growth.fleet import Cost, Fleet, best_fleet, day, most_games
from bench.growth.traced import DAY, HOUR, Work

COSTS = dict.fromkeys(Work, Cost(0.010, 0.002))
AT_SEVEN = np.bincount([7 * HOUR], minlength=DAY).astype(float)
ALL_DAY = np.ones(DAY) / DAY
ONE = Fleet(2, 2, is_one=True)
TWO = Fleet(2, 2)


def demand(**others):
    """A page and a turn for each game at some time of the day, and what else is asked for."""
    return {Work.PAGE: ALL_DAY, Work.TURN: ALL_DAY, Work.LOOK: ALL_DAY, Work.EMAIL: ALL_DAY, **others}


def test_what_comes_at_once_waits_as_long_as_all_processors_need_for_it():
    burst = day(TWO, demand(email=AT_SEVEN), COSTS, 20_000)
    assert burst.waits[Work.EMAIL, "web and worker"] == pytest.approx(100, rel=0.05)
    assert burst.waits[Work.EMAIL, "database"] == pytest.approx(20, rel=0.05)


def test_one_machine_does_the_work_of_the_database_too():
    assert day(ONE, demand(email=AT_SEVEN), COSTS, 20_000).waits[Work.EMAIL, "processors"] == pytest.approx(
        120, rel=0.05
    )


def test_pages_and_looks_wait_for_no_email():
    burst = day(ONE, demand(email=AT_SEVEN), COSTS, 20_000)
    assert {burst.waits[work, "processors"] for work in (Work.PAGE, Work.TURN, Work.LOOK)} == {0}


def test_work_that_the_processors_cannot_do_in_a_day_waits_for_hours():
    too_much = day(ONE, demand(), COSTS, 4_000_000)
    assert too_much.used["processors"] > 1
    assert too_much.waits[Work.EMAIL, "processors"] > HOUR


def test_a_fleet_carries_just_as_many_games_as_wait_for_nothing_too_long():
    games = most_games(ONE, demand(email=AT_SEVEN), COSTS)
    assert games == pytest.approx(300 * 2 / 0.012, rel=0.05)
    assert day(ONE, demand(email=AT_SEVEN), COSTS, games).is_good
    assert not day(ONE, demand(email=AT_SEVEN), COSTS, round(1.1 * games)).is_good


def test_the_database_gets_the_machines_that_it_needs():
    fleet = best_fleet(12, 2, demand(email=AT_SEVEN), COSTS)
    assert (fleet.ours, fleet.database) == (20, 4)


def test_ten_times_the_machines_carry_ten_times_the_games():
    few, many = (most_games(Fleet(10 * times, 2 * times), demand(email=AT_SEVEN), COSTS) for times in (1, 10))
    assert many == pytest.approx(10 * few, rel=0.05)
