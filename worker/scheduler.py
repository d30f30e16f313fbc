"""The sweeps: `python -m worker.scheduler`. Any number of schedulers may run at once, and any may die.

A sweep asks the database what is due by index and rings for the workers; it does none of their work.
"""

import logging
import signal
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from apscheduler.schedulers.blocking import BlockingScheduler

from webapp import counts, service
from webapp.accounts import address_changes, sign_ins
from webapp.core.database import DatabaseDown
from webapp.core.log import start_log
from webapp.core.runtime import Runtime
from webapp.core.start import runtime_with_database
from webapp.inbox import arriving
from webapp.outbox import leases, letters

LETTERS_PER_RING = 50
RINGS_AT_MOST = 8


def sweep_games(runtime: Runtime) -> int:
    """Rings for every game that needs the service now; each is claimed by one scheduler only. Returns how many."""
    due = service.claim_due(runtime, runtime.now())
    for game_id in due:
        runtime.bell.play_for_absent(game_id)
    return len(due)


def sweep_letters(runtime: Runtime) -> None:
    """Rings for the letters that are owed now and that nobody is sending."""
    with runtime.database.reading() as session:
        owed = leases.count_owed(session, runtime.now())
    for _ in range(min(-(-owed // LETTERS_PER_RING), RINGS_AT_MOST)):
        runtime.bell.deliver()


def sweep_mail(runtime: Runtime) -> None:
    """Rings for the mails that have come in and that nobody is reading; one worker goes on until none is left."""
    with runtime.database.reading() as session:
        is_waiting = arriving.is_any_waiting(session, runtime.now())
    if is_waiting:
        runtime.bell.process_inbound()


def sweep_moves(runtime: Runtime) -> None:
    """Rings for the moves to another address that have waited long enough; a worker goes on until none is left."""
    with runtime.database.reading() as session:
        is_ready = bool(address_changes.ready(session, runtime.now(), most=1))
    if is_ready:
        runtime.bell.move()


def forget_old_letters(runtime: Runtime) -> None:
    """Empties what has been kept long enough: bodies of our letters and of mails that came in, old sign-ins, counts."""
    with runtime.database.writing() as session:
        letters.forget_old(session, runtime.now())
        arriving.forget_old(session, runtime.now())
        sign_ins.forget_old(session, runtime.now())
        counts.forget_old(session, runtime.now())


def do(sweep: Callable[[Runtime], object], runtime: Runtime) -> None:
    """Sweeps, unless the database is down, which has been said."""
    with suppress(DatabaseDown):
        sweep(runtime)


def main() -> None:
    start_log()
    logging.getLogger("apscheduler.scheduler").setLevel(logging.ERROR)  # a sweep left out for a slow one harms nobody
    runtime = runtime_with_database()
    scheduler = BlockingScheduler(timezone=UTC, job_defaults={"coalesce": True, "misfire_grace_time": None})
    now = datetime.now(UTC)
    for sweep in (sweep_games, sweep_letters, sweep_mail, sweep_moves):
        seconds = runtime.settings.sweep_seconds
        scheduler.add_job(do, "interval", seconds=seconds, args=[sweep, runtime], next_run_time=now)
    scheduler.add_job(do, "interval", hours=24, args=[forget_old_letters, runtime], next_run_time=now)

    def stop(*_: Any) -> None:
        scheduler.shutdown(wait=False)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    scheduler.start()


if __name__ == "__main__":
    main()
