"""Plays at forty tables at a time on both set-ups while processes, servers, the relay and the disk fail: make chaos

Everything is repaired, comes to rest, and is checked: against the database, the mails that the relay took, and what the
players noted themselves. Ends with status 1 if anything is not as it must be, and says with which seed to repeat it.
"""

import argparse
import random
import sys
from dataclasses import replace
from pathlib import Path

from bench.printing import say, say_load
from tests.chaos.disk import Disk, NoDisk, have_own_mounts
from tests.chaos.disturbances import GROUPS
from tests.chaos.report import keep_logs, lines, tracebacks
from tests.chaos.run import Options, run_on
from tests.chaos.setups import NAMES, Scene, scenes_of
from tests.processes import Guarded
from tests.servers import ROOT

LOGS = ROOT / "build" / "chaos"


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    asked.add_argument("--seconds", type=float, default=480, help="for which things break, on each set-up")
    asked.add_argument("--games", type=int, default=1000, help="at most, on each set-up")
    asked.add_argument("--seed", type=int, help="of what happens; any other without")
    asked.add_argument("--only", choices=NAMES, help="one set-up")
    asked.add_argument("--without", nargs="+", default=[], choices=GROUPS, help="what does not break")
    asked.add_argument("--at-once", type=int, default=40, help="how many tables are played at at a time")
    asked.add_argument("--named", nargs="+", default=[], help='only these disturbances, such as "disk full"')
    asked.add_argument("--haste", type=float, default=1, help="disturbances and pauses are so many times as short")
    asked.add_argument(
        "--scenes", nargs="*", type=Scene, choices=list(Scene), help="of each run; without, they follow from the seed"
    )
    given = asked.parse_args()
    seed = random.randrange(10**6) if given.seed is None else given.seed
    without, named = tuple(given.without), tuple(given.named)
    options = Options(given.seconds, given.games, seed, without, named, given.at_once, given.haste)
    names = [name for name in NAMES if given.only in (None, name)]
    scenes = {name: scenes_of(seed, name) if given.scenes is None else tuple(given.scenes) for name in names}
    guarded = Guarded()
    try:
        have_own_mounts()
    except NoDisk as error:
        say(f"no disk gets full: {error}")
    try:
        return min(1, sum(_violations(name, replace(options, scenes=scenes[name]), guarded.folder) for name in names))
    finally:
        guarded.end()


def _violations(name: str, options: Options, folder: Path) -> int:
    """How many violations a run on that set-up has found, after it has printed everything."""
    say(f"\n{name}, seed {options.seed}, scenes: {', '.join(options.scenes) or 'none'}")
    say_load()
    place = folder / name
    place.mkdir()
    outcome = run_on(name, options, place, _disk(place, options), say)
    for line in lines(outcome):
        say(line)
    say_load()
    if outcome.count or tracebacks(outcome):
        say(f"the logs are in {keep_logs(outcome, LOGS)}")
    return outcome.count


def _disk(place: Path, options: Options) -> Disk | None:
    if "disk" in options.without:
        return None
    try:
        return Disk(place / "disk")
    except NoDisk:  # it was said why
        return None


if __name__ == "__main__":
    sys.exit(main())
