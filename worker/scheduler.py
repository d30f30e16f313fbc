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
from webapp.core.runtime import Parts
from webapp.core.start import reachable_parts
from webapp.inbox import arriving
from webapp.outbox import leases, letters

LETTERS_PER_RING = 50
RINGS_AT_MOST = 8


def sweep_games(parts: Parts) -> int:
    """Rings for every game that needs the service now; each is claimed by one scheduler only. Returns how many."""
    due = service.claim_due(parts, parts.now())
    for game_id in due:
        parts.bell.mind(game_id)
    return len(due)


def sweep_letters(parts: Parts) -> None:
    """Rings for the letters that are owed now and that nobody is sending."""
    with parts.database.reading() as rows:
        owed = leases.count_owed(rows, parts.now())
    for _ in range(min(-(-owed // LETTERS_PER_RING), RINGS_AT_MOST)):
        parts.bell.deliver()


def sweep_mail(parts: Parts) -> None:
    """Rings for the mails that have come in and that nobody is reading; one worker goes on until none is left."""
    with parts.database.reading() as rows:
        is_waiting = arriving.is_any_waiting(rows, parts.now())
    if is_waiting:
        parts.bell.sort()


def sweep_moves(parts: Parts) -> None:
    """Rings for the moves to another address that have waited long enough; a worker goes on until none is left."""
    with parts.database.reading() as rows:
        is_ready = bool(address_changes.ready(rows, parts.now(), most=1))
    if is_ready:
        parts.bell.move()


def forget_old_letters(parts: Parts) -> None:
    """Empties what has been kept long enough: bodies of our letters and of mails that came in, old sign-ins, counts."""
    with parts.database.writing() as rows:
        letters.forget_old(rows, parts.now())
        arriving.forget_old(rows, parts.now())
        sign_ins.forget_old(rows, parts.now())
        counts.forget_old(rows, parts.now())


def do(sweep: Callable[[Parts], object], parts: Parts) -> None:
    """Sweeps, unless the database is down, which has been said."""
    with suppress(DatabaseDown):
        sweep(parts)


def main() -> None:
    start_log()
    logging.getLogger("apscheduler.scheduler").setLevel(logging.ERROR)  # a sweep left out for a slow one harms nobody
    parts = reachable_parts()
    scheduler = BlockingScheduler(timezone=UTC, job_defaults={"coalesce": True, "misfire_grace_time": None})
    now = datetime.now(UTC)
    for sweep in (sweep_games, sweep_letters, sweep_mail, sweep_moves):
        seconds = parts.settings.sweep_seconds
        scheduler.add_job(do, "interval", seconds=seconds, args=[sweep, parts], next_run_time=now)
    scheduler.add_job(do, "interval", hours=24, args=[forget_old_letters, parts], next_run_time=now)

    def stop(*_: Any) -> None:
        scheduler.shutdown(wait=False)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    scheduler.start()


if __name__ == "__main__":
    main()
