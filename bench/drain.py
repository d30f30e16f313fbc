"""Measures how fast a worker plays turns that are all due at once, and how long a mail waits: python -m bench.drain

Starts the scheduler and the worker of the Procfile in a temporary folder, on embedded defaults, or on DATABASE_URL and
BROKER_URL if they are set. In every game one late player and three robots have to pass.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sqlmodel import col, func, select

from bench.printing import say
from hearts.robot import Level
from tests.cast import make_due_games
from webapp import migrations
from webapp.core.config import read_settings
from webapp.core.runtime import Runtime
from webapp.models import LetterRow, LetterState, PlayerRow, TurnRow, TurnSource
from webapp.outbox import about_accounts

TURNS = 10_000
PASSES = 4  # in each game
MAX_SECONDS = 1200.0  # seconds


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATA_DIR"] = folder
        runtime = Runtime.for_settings(read_settings())
        migrations.upgrade(runtime.settings.database)
        make_due_games(runtime, TURNS // PASSES, Level.STRONG)
        log = (Path(folder) / "log").open("wb")
        commands = ("-m celery --quiet -A worker.app worker -P threads -c 4", "-m worker.scheduler")
        workers = [subprocess.Popen([sys.executable, *command.split()], stdout=log, stderr=log) for command in commands]
        try:
            measure(runtime)
        finally:
            for worker in workers:
                worker.terminate()
            for worker in workers:
                worker.wait()
            log.close()
    return 0


def measure(runtime: Runtime) -> None:
    """Watches until nobody is late; meanwhile it requests a sign-in mail every second."""
    begun = time.monotonic()
    while chosen(runtime) == 0:
        time.sleep(0.05)
    first = time.monotonic()
    while (done := chosen(runtime)) < TURNS and time.monotonic() - begun < MAX_SECONDS:
        with runtime.database.writing() as session:
            about_accounts.queue_sign_in(session, runtime, session.exec(select(PlayerRow)).one(), runtime.now())
        runtime.bell.deliver()
        time.sleep(1)
    seconds = time.monotonic() - first
    waited = sorted(waits(runtime))
    say(f"{done} turns of robots and of the late in {seconds:.0f} s: {done / seconds:.0f} a second")
    say(f"the first {first - begun:.1f} s after the start of worker and scheduler")
    say(f"{len(waited)} sign-in mails meanwhile: the median waited {waited[len(waited) // 2]:.2f} s, ", end="")
    say(f"the slowest {waited[-1]:.2f} s")
    with runtime.database.reading() as session:
        other = session.exec(
            select(func.count()).select_from(LetterRow).where(LetterRow.state == LetterState.KEPT)
        ).one()
    say(f"{other} mails were written in that time")


def chosen(runtime: Runtime) -> int:
    ways = col(TurnRow.way).in_([TurnSource.ROBOT, TurnSource.TIMEOUT])
    with runtime.database.reading() as session:
        return session.exec(select(func.count()).select_from(TurnRow).where(ways)).one()


def waits(runtime: Runtime) -> list[float]:
    """For each sign-in mail, the seconds from its queueing until it was written."""
    with runtime.database.reading() as session:
        sent = session.exec(select(LetterRow).where(LetterRow.kind == "sign_in", LetterRow.state == LetterState.KEPT))
        return [(letter.sent_at - letter.created_at).total_seconds() for letter in sent if letter.sent_at]


if __name__ == "__main__":
    sys.exit(main())
