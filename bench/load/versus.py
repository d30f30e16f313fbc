"""Measures pages and turns of this checkout beside another's: python -m bench.load.versus --before OLDER_CHECKOUT

Both serve the same games of one database, in turn for half a second each, since the speed of a machine changes from
second to second. So both must have the same tables. Client, servers and database share the processors of this machine.
"""

import argparse
import random
import statistics
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

from bench.load.copies import copy_games
from bench.load.filled import filled
from bench.load.requests import Request, a_second
from bench.printing import say, say_load
from bench.serving import Running
from tests.servers import ROOT

CONNECTIONS = 4  # for each web process
PAGES = 2000
MOST = 1000  # turns a second that a process may take without running out of games


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m bench.load.versus", description=__doc__)
    asked.add_argument("--before", type=Path, required=True, metavar="CHECKOUT", help="with which to compare this one")
    asked.add_argument("--databases", nargs="+", default=["sqlite", "postgresql"], choices=["sqlite", "postgresql"])
    asked.add_argument("--processes", type=int, default=1, help="web processes of each")
    asked.add_argument("--rounds", type=int, default=24)
    asked.add_argument("--seconds", type=float, default=0.5, help="of each in a round")
    options = asked.parse_args()
    say_load()
    for database in options.databases:
        compare(database, options)
    say_load()
    return 0


def compare(database: str, options: argparse.Namespace) -> None:
    """Prints how many pages and turns a second both checkouts had, and the ratio of the middle of all rounds."""
    copies = list(range(1, PAGES + int(2 * (options.rounds + 4) * options.seconds * options.processes * MOST)))
    random.Random(1).shuffle(copies)
    checkouts = {"before": options.before.resolve(), "now": ROOT}
    with filled(database) as games, ExitStack() as stack:
        copy_games(games.runtime.database.engine, games.steps, len(copies))
        sites = {
            name: stack.enter_context(games.served(processes=options.processes, checkout=checkout))
            for name, checkout in checkouts.items()
        }
        pages = games.pages([copies.pop() for _ in range(PAGES)])
        say(f"\n{database}, {options.processes} web")
        report("pages of a turn", sites, pages, 200, options)
        report("turns posted", sites, games.turns(copies), 303, options)


def report(
    what: str, sites: Mapping[str, Running], requests: Iterator[Request], status: int, options: argparse.Namespace
) -> None:
    def measured(site: Running, seconds: float) -> float:
        return a_second(site.port, requests, CONNECTIONS * options.processes, seconds, status)

    for site in sites.values():
        measured(site, 4 * options.seconds)  # what each process keeps is prepared
    rounds = []
    for _ in range(options.rounds):
        order = random.sample(sorted(sites), len(sites))
        rounds.append({name: measured(sites[name], options.seconds) for name in order})
    before, now = (statistics.median(one[name] for one in rounds) for name in ("before", "now"))
    ratio = statistics.median(one["now"] / one["before"] for one in rounds)
    say(f"  {what:20} before {before:,.0f}/s, now {now:,.0f}/s: {ratio:.2f} times as many in the middle of all rounds")


if __name__ == "__main__":
    sys.exit(main())
