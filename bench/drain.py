"""Measures how fast a worker plays turns while very many are due, and how long a mail waits: python -m bench.drain

    python -m bench.drain                              a minute of work, while 10,000 games wait
    python -m bench.drain --games 250 --seconds 600    until nothing waits any more
    python -m bench.drain --each 5                     every late player is in five of the games, and gets digests

Starts the scheduler and the worker of the Procfile in a temporary folder, on embedded defaults, or on DATABASE_URL and
BROKER_URL if they are set. In every game one late player and three robots of level strong have to pass; then the robots
play cards until the player has to.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sqlmodel import col, func, select, update

from bench.printing import say
from hearts.robot import Level
from tests.cast import make_due_games
from webapp import migrations
from webapp.core.config import read_settings
from webapp.core.runtime import Runtime
from webapp.models import GameRow, LetterRow, LetterState, PlayerRow, TurnRow, TurnSource
from webapp.outbox import about_accounts


def main() -> int:
    options = parsed()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by a signal"))  # or else the processes would go on
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATA_DIR"] = folder
        runtime = Runtime.for_settings(read_settings())
        migrations.upgrade(runtime.settings.database)
        make_due_games(runtime, options.games, Level.STRONG, each=options.each)
        end_quiet_hours(runtime)
        log = (Path(folder) / "log").open("wb")
        commands = ("-m celery --quiet -A worker.app worker -P threads -c 4", "-m worker.scheduler")
        workers = [subprocess.Popen([sys.executable, *command.split()], stdout=log, stderr=log) for command in commands]
        try:
            measure(runtime, options.seconds)
        finally:
            for worker in workers:
                worker.terminate()
            for worker in workers:
                worker.wait()
            log.close()
    return 0


def end_quiet_hours(runtime: Runtime) -> None:
    """Lets mails go at once, whatever the hour."""
    with runtime.database.writing() as session:
        session.exec(update(PlayerRow).values(quiet_from=None, quiet_to=None))


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.drain")
    parser.add_argument("--games", type=int, default=10_000, help="that wait at the start")
    parser.add_argument("--each", type=int, default=1, help="the number of games of each late player")
    parser.add_argument("--seconds", type=float, default=60.0, help="to measure, at most")
    return parser.parse_args()


def measure(runtime: Runtime, most: float) -> None:
    """Watches for so many seconds, or until nobody is late; meanwhile it requests a sign-in mail every second."""
    begun = time.monotonic()
    while chosen(runtime) == 0:
        time.sleep(0.05)
    first = time.monotonic()
    while waiting(runtime) and time.monotonic() - first < most:
        with runtime.database.writing() as session:
            about_accounts.queue_sign_in(session, runtime, session.get_one(PlayerRow, 1), runtime.now())
        runtime.bell.deliver()
        time.sleep(1)
    done, seconds = chosen(runtime), time.monotonic() - first
    waited = sorted(waits(runtime))
    say(f"{done} turns of robots and of the late in {seconds:.0f} s: {done / seconds:.0f} a second")
    say(f"the first {first - begun:.1f} s after the start of worker and scheduler, {waiting(runtime)} games still wait")
    if waited:  # else the games were over at once
        say(f"{len(waited)} sign-in mails meanwhile: the median waited {waited[len(waited) // 2]:.2f} s, ", end="")
        say(f"the slowest {waited[-1]:.2f} s")
    with runtime.database.reading() as session:
        other = session.exec(
            select(func.count()).select_from(LetterRow).where(LetterRow.state == LetterState.KEPT)
        ).one()
    say(f"{other} mails were written in that time")


def waiting(runtime: Runtime) -> int:
    """The number of games in which a player is still late."""
    with runtime.database.reading() as session:
        return session.exec(select(func.count()).select_from(GameRow).where(GameRow.due_at <= runtime.now())).one()


def chosen(runtime: Runtime) -> int:
    ways = col(TurnRow.source).in_([TurnSource.ROBOT, TurnSource.TIMEOUT])
    with runtime.database.reading() as session:
        return session.exec(select(func.count()).select_from(TurnRow).where(ways)).one()


def waits(runtime: Runtime) -> list[float]:
    """For each sign-in mail, the seconds from its queueing until it was written."""
    with runtime.database.reading() as session:
        sent = session.exec(select(LetterRow).where(LetterRow.kind == "sign_in", LetterRow.state == LetterState.KEPT))
        return [(letter.sent_at - letter.created_at).total_seconds() for letter in sent if letter.sent_at]


if __name__ == "__main__":
    sys.exit(main())
