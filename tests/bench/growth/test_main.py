"""A small run of the simulation prints what each fleet carries, and what limits it."""

import subprocess
import sys

from tests.servers import ROOT


def test_each_fleet_gets_its_games_its_limit_and_its_price():
    command = [sys.executable, "-m", "bench.growth", "--hands", "4", "--machines", "1", "2"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    demand, *fleets = printed.split("\n\n")
    assert all(f"  {work}s " in demand for work in ("page", "turn", "look", "email"))
    games = [int(fleet.split("\n")[0].split(":")[1].split()[0].replace(",", "")) for fleet in fleets]
    assert 0 < games[0] < games[1]
    for fleet in fleets:
        assert all(words in fleet for words in ("the first limit: ", " in the busiest hour", "  a month: "))
