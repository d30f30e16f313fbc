"""What the simulation takes from games that were really played, and what it prints."""

import sys

import numpy as np
import pytest

from bench.growth import __main__ as growth
from bench.growth.traced import DAY, HOUR, WORLD, Traced, Work, trace, trace_on
from tests.servers import own_postgres


@pytest.fixture(scope="module")
def traced():
    return trace(hands=4)


def test_games_ask_for_all_kinds_of_work(traced):
    assert traced.games == 1
    assert all(traced.a_day(work) > 0 for work in Work)
    assert len(traced.times[Work.TURN]) < len(traced.times[Work.PAGE]) <= 2 * len(traced.times[Work.TURN])
    assert traced.looking > 0
    assert 0 < traced.rows < traced.disk / 100
    assert traced.guarded > len(traced.times[Work.LOOK]) / 2
    assert traced.disk > 25_000


def test_what_the_server_of_the_database_does_for_looks_is_counted():
    with own_postgres() as server:
        traced = trace_on(server, hands=1)
    assert 0 < traced.serving < traced.looking
    assert traced.disk > 25_000


def test_a_day_of_the_world_asks_for_as_much_as_a_day_of_the_games(traced):
    for work in Work:
        assert traced.a_second(work).sum() == pytest.approx(traced.a_day(work))


def test_nights_end_with_the_hour_everywhere_and_all_else_comes_at_some_minute():
    mornings = Traced(days=1, mornings=[7 * HOUR]).a_second(Work.EMAIL)
    assert {second: share for second, share in enumerate(mornings * sum(WORLD.values())) if share} == pytest.approx(
        {(7 - zone) * HOUR % DAY: players for zone, players in WORLD.items()}
    )
    visits = Traced(days=1, times={Work.PAGE: [12 * HOUR]}).a_second(Work.PAGE)
    assert np.count_nonzero(visits) > 5 * HOUR
    assert visits.max() < 1 / 1000


@pytest.mark.parametrize("second", [0, DAY - 1])
def test_what_is_done_around_midnight_is_spread_over_both_days(second):
    visits = Traced(days=1, times={Work.PAGE: [second]}).a_second(Work.PAGE)
    assert visits.sum() == pytest.approx(1)
    assert min(visits[[20 * 60, DAY - 20 * 60]]) > 0


def test_each_fleet_gets_its_games_its_limit_and_its_price(traced, monkeypatch, capsys):
    monkeypatch.setattr(growth, "trace_on", lambda server, hands: traced)
    monkeypatch.setattr(sys, "argv", ["growth", "--machines", "1", "4"])
    assert growth.main() == 0
    demand, *fleets = capsys.readouterr().out.split("\n\n")
    assert all(f"  {work}s " in demand for work in ("page", "turn", "look", "email"))
    games = [int(fleet.split("\n")[0].split(":")[1].split()[0].replace(",", "")) for fleet in fleets]
    assert 0 < games[0] < games[1]
    for fleet in fleets:
        assert all(words in fleet for words in ("the first limit: ", " in the busiest hour", "  a month: "))
