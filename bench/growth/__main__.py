"""Simulates how many running games 1, 10 and 100 machines carry, and what is the first limit.

People who look into their mail twice a day play games through the path of a turn, at tables as they begin: the default
plan, hands side by side, all who follow asked at once. What the service did for them, and at what time of day, is then
done for very many games, by people all over the world. Each second's work waits for the processors of so many machines:
some of them are PostgreSQL's, all others those of `web` and `worker`; a single machine has everything. A limit is
reached when on any day a page or a turn waits for a second before it is begun, the look of a plan's guard for a minute,
or an email for five minutes.

What a page, a turn and an email cost, `bench.load` prints for PostgreSQL; a look costs what it costs here, with a
PostgreSQL of the program's own. Give the costs of your own machine, its price, and that of your relay.
"""

import argparse
import sys
from collections.abc import Mapping

from bench.growth.fleet import Cost, Day, best_fleet, day, most_games
from bench.growth.traced import LOOKS, Seconds, Traced, Work, trace_on
from bench.printing import say
from hearts.robot import warm_up
from tests.servers import own_postgres

MONTH = 30  # days
COMMITS = {Work.TURN: 1.0, Work.LOOK: 1.0, Work.EMAIL: 0.2}  # each; emails are noted a few at a time


def main() -> int:
    options = parsed()
    warm_up()
    with own_postgres(settings=()) as server:
        traced = trace_on(server, options.hands)
    looks = len(traced.times[Work.LOOK])
    costs = {
        Work.PAGE: Cost(*(ms / 1000 for ms in options.page)),
        Work.TURN: Cost(*(ms / 1000 for ms in options.turn)),
        Work.LOOK: Cost(traced.looking / looks, traced.serving / looks),
        Work.EMAIL: Cost(*(ms / 1000 for ms in options.email)),
    }
    say_demand(traced, costs)
    for machines in options.machines:
        say_fleet(machines, traced, costs, options)
    return 0


def parsed() -> argparse.Namespace:
    asked = argparse.ArgumentParser(prog="python -m bench.growth", description=__doc__)
    asked.add_argument("--hands", type=int, default=192, help="to play")
    asked.add_argument("--machines", type=int, nargs="+", default=[1, 10, 100])
    asked.add_argument("--processors", type=int, default=2, help="of each machine")
    for work, ours, database in (("page", 7.2, 2.4), ("turn", 9.1, 3.0), ("email", 10.3, 2.7)):
        milliseconds = f"milliseconds of processor of a {work}: of ours and of PostgreSQL"
        asked.add_argument(f"--{work}", type=float, nargs=2, default=[ours, database], help=milliseconds)
    asked.add_argument("--machine-price", type=float, default=8, help="of a machine, for a month")
    asked.add_argument("--email-price", type=float, default=0.1, help="of a thousand emails")
    return asked.parse_args()


def say_demand(traced: Traced, costs: Mapping[Work, Cost]) -> None:
    days = traced.days / traced.games
    say(f"{traced.games} games were played in {days:.1f} days each, by people who look {LOOKS} times a day. Of each:")
    for work, cost in costs.items():
        a_day = traced.a_day(work)
        say(f"  {work + 's':8}{a_day:6.1f} a day{a_day * days:7.0f} a game", end="")
        say(f"{1000 * cost.ours:8.1f} ms of processor + {1000 * cost.database:.1f} of the database")
    waited = len(traced.mornings) / traced.days / traced.a_day(Work.EMAIL)
    say(f"  {waited:.0%} of the emails wait for a morning; ", end="")
    say(f"a look plays {traced.guarded / len(traced.times[Work.LOOK]):.1f} cards of plans")
    say(f"  by its end a game takes {traced.disk / traced.games / 1000:.0f} kB of disk, ", end="")
    say(f"in {traced.rows / traced.games:.0f} rows")


def say_fleet(machines: int, traced: Traced, costs: Mapping[Work, Cost], options: argparse.Namespace) -> None:
    demand = {work: traced.a_second(work) for work in Work}
    fleet = best_fleet(machines, options.processors, demand, costs)
    games = most_games(fleet, demand, costs)
    of_database = 0 if fleet.is_one else fleet.database // options.processors
    say(f"\n{machines} machine{'s' * (machines > 1)} of {options.processors} processors", end="")
    say(f", {of_database} of them for PostgreSQL" if of_database else "", end="")
    say(f": {float(f'{games:.2g}'):,.0f} running games")
    say_limit(day(fleet, demand, costs, round(1.1 * games)))
    at_most = day(fleet, demand, costs, games)
    for pool in fleet.pools:
        say(f"  {pool}: {at_most.used[pool]:.0%} used, {at_most.busiest[pool]:.0%} in the busiest hour")
    peaks = {work: games * _busiest_hour(demand[work]) for work in Work}
    commits = sum(peaks[work] * each for work, each in COMMITS.items())
    done = ", ".join(f"{peak:,.0f} {work}s" for work, peak in peaks.items())
    say(f"  a second in the busiest hour: {done}, in {commits:,.0f} transactions")
    emails = games * traced.a_day(Work.EMAIL) * MONTH
    prices = machines * options.machine_price, emails / 1000 * options.email_price
    ended = games * MONTH / (traced.days / traced.games)
    # Of the running games half is played.
    for number, what in ((games / 2, "running games"), (ended, "games that end in a month")):
        disk, rows = (number * each / traced.games for each in (traced.disk, traced.rows))
        say(f"  {disk / 1e9:,.0f} GB of {what}, in {rows / 1e6:,.0f} million rows")
    say(f"  {emails / 1e6:,.1f} million emails a month")
    say(f"  a month: {prices[0]:,.0f} for machines, {prices[1]:,.0f} for emails; ", end="")
    say(f"for a thousand games {1000 * prices[0] / ended:.2f} and {1000 * prices[1] / ended:.2f}")


def say_limit(over: Day) -> None:
    """What waits for too long with a tenth more games."""
    (work, pool), _ = max(over.limits.items(), key=lambda each: each[1])
    say(f"  the first limit: with a tenth more, {work}s wait {over.waits[work, pool]:,.0f} s for the {pool}")


def _busiest_hour(demand: Seconds) -> float:
    """The mean of the second of that hour."""
    return float(max(demand.reshape(24, -1).mean(axis=1)))


if __name__ == "__main__":
    sys.exit(main())
