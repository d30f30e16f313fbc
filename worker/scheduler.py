"""Sweeps for what is due: `python -m worker.scheduler`. Any number of schedulers may run at once, and any may die.

A sweep asks the database what is due, by index, and rings for the workers; it does none of their work. A scheduler does
the daily work itself: it deletes old rows.
"""

import logging
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from threading import Event, Thread
from typing import Any

from apscheduler.schedulers.base import BaseScheduler
from apscheduler.schedulers.blocking import BlockingScheduler
from sqlmodel import Session

from webapp import acts, counts
from webapp.accounts import address_changes, sign_ins
from webapp.core import bell, metrics
from webapp.core.database import DatabaseDown, one_by_one
from webapp.core.runtime import Runtime, runtime_with_database
from webapp.games.clock import way_in
from webapp.inbox import receiving
from webapp.operators import figures, health
from webapp.outbox import about_accounts, allowance, holding, letters, turn_mail
from webapp.play import due_games
from webapp.players import away, forgetting
from webapp.tables import run_out

LETTERS_PER_RING = 50
RINGS_AT_MOST = 8
# A sweep's rings for games, at most. A thread that hears one rings again while games are due: so each sweep adds two.
GAME_RINGS = 2
LOOK_AT_CLOCK = 1.0  # seconds between two looks at whether the machine's clock was set
CLOCK_JUMP = 2.0  # seconds by which it must have been
FIRST_SIGN = timedelta(seconds=1)  # of life, after the start: by then the first sweeps have finished


def sweep_games(runtime: Runtime) -> None:
    """Rings for the games that are due: once for each AT_ONCE, and GAME_RINGS times at most. Workers claim them."""
    with runtime.database.reading() as session:
        due = due_games.count_due(session, runtime.now(), GAME_RINGS * due_games.AT_ONCE)
    for _ in range(-(-due // due_games.AT_ONCE)):
        runtime.bell.ring(bell.PLAY_DUE)


def sweep_letters(runtime: Runtime) -> None:
    """Rings for the letters that are due and unclaimed, and for players to whom a mail about turns may go: once for
    each LETTERS_PER_RING, and at most RINGS_AT_MOST.
    """
    with runtime.database.reading() as session:
        due = letters.count_queued(session, runtime.now()) + turn_mail.count_due(session, runtime, runtime.now())
    for _ in range(min(-(-due // LETTERS_PER_RING), RINGS_AT_MOST)):
        runtime.bell.deliver()


# Whether something is due that one worker does (`worker.tasks`).
DONE_BY_ONE: Mapping[str, Callable[[Session, datetime], object]] = {
    "inbound mails": receiving.is_any_waiting,
    "address changes": partial(address_changes.ready, most=1),
    "returns": partial(away.due, most=1),
}


def sweep_others(runtime: Runtime) -> None:
    """Rings once if inbound mails, changes of address or returns are due."""
    due = []

    def look(what: str) -> None:
        with runtime.database.reading() as session:
            if DONE_BY_ONE[what](session, runtime.now()):
                due.append(what)

    one_by_one("sweep", DONE_BY_ONE, look)
    if due:
        runtime.bell.ring(bell.DO_DUE)


SWEEPS = (sweep_games, sweep_letters, sweep_others)


FORGET_OLD: Mapping[str, Callable[[Session, datetime], object]] = {
    **{"sign-ins": sign_ins.forget_old, "counts": counts.forget_old, "mails of the day": allowance.forget_old},
    **{"addresses": address_changes.forget_old, "pauses": holding.forget_old, "acts": acts.forget_old},
    "times of the way in": way_in.forget_old,
}
# One after the other: people are forgotten once their invitations are withdrawn.
DAILY: Mapping[str, Callable[[Runtime, datetime], object]] = {
    "inbound mails": receiving.forget_old_mails,
    "letters": letters.forget_texts,
    "invitations": run_out.withdraw_old,
    "guests": forgetting.forget_silent_guests,
    "years": about_accounts.queue_years,
}


def delete_old(runtime: Runtime) -> None:
    """Deletes old texts of letters and inbound mails, old addresses, expired sign-ins, counts, pauses, connections,
    and notes of operators' acts.

    Withdraws invitations that ran out, and then forgets the people who never answered one. In January it queues the
    mails about the year.
    """

    def forget(what: str) -> None:
        with runtime.database.writing() as session:
            FORGET_OLD[what](session, runtime.now())

    one_by_one("old", FORGET_OLD, forget)
    one_by_one("old", DAILY, lambda what: DAILY[what](runtime, runtime.now()))


def tell_of_unread_answers(runtime: Runtime) -> None:
    """Tells an operator if answers by mail cannot be read for long."""
    receiving.tell(runtime, runtime.now())


def keep_in_time(scheduler: BaseScheduler, over: Event) -> None:
    """Has all jobs run again at once if the machine's clock is set, until `over`: after a clock is set back, the
    scheduler would sleep until it shows the old time again.
    """
    ahead = time.time() - time.monotonic()
    while not over.wait(LOOK_AT_CLOCK):
        now = time.time() - time.monotonic()
        if abs(now - ahead) > CLOCK_JUMP:
            for job in scheduler.get_jobs():
                job.modify(next_run_time=datetime.now(UTC))
        ahead = now


class Finished:
    """When each sweep of this process last came to its end; threads share it."""

    def __init__(self) -> None:
        self._at: dict[str, datetime] = {}

    def note(self, sweep: str, at: datetime) -> None:
        self._at[sweep] = at

    def all_since(self) -> datetime | None:
        """When the sweep that has not finished for longest last did; None as long as one never has."""
        return min(self._at.values()) if len(self._at) == len(SWEEPS) else None


def show_life(runtime: Runtime, finished: Finished) -> None:
    """Records that all sweeps have finished, and asks a worker to show that it is alive."""
    runtime.bell.ring(bell.REPORT)
    at = finished.all_since()
    if at is not None:
        with suppress(DatabaseDown), runtime.database.writing() as session:
            health.note_alive(session, health.SCHEDULER, at)


def run(sweep: Callable[[Runtime], object], runtime: Runtime, finished: Finished) -> None:
    """Runs a sweep; skips it if the database is down, which `Database` has logged."""
    with suppress(DatabaseDown), metrics.timed(metrics.SWEEPS.labels(sweep.__name__)):
        sweep(runtime)
        if sweep in SWEEPS:
            finished.note(sweep.__name__, runtime.now())


def main() -> None:
    runtime = runtime_with_database()
    logging.getLogger("apscheduler.scheduler").setLevel(logging.ERROR)  # skipping an overlapping run is harmless
    figures.serve(runtime, figures.SCHEDULER)
    scheduler = BlockingScheduler(timezone=UTC, job_defaults={"coalesce": True, "misfire_grace_time": None})
    now = datetime.now(UTC)
    finished = Finished()
    for sweep in SWEEPS:
        seconds = runtime.settings.sweep_seconds
        scheduler.add_job(run, "interval", seconds=seconds, args=[sweep, runtime, finished], next_run_time=now)
    scheduler.add_job(run, "interval", hours=24, args=[delete_old, runtime, finished], next_run_time=now)
    every = way_in.LOOK_EVERY.total_seconds()
    scheduler.add_job(run, "interval", seconds=every, args=[tell_of_unread_answers, runtime, finished])
    every = health.EVERY.total_seconds()
    scheduler.add_job(show_life, "interval", seconds=every, args=[runtime, finished], next_run_time=now + FIRST_SIGN)

    over = Event()
    Thread(target=keep_in_time, args=[scheduler, over], name="clock", daemon=True).start()

    def stop(*_: Any) -> None:
        over.set()
        scheduler.shutdown(wait=False)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    scheduler.start()


if __name__ == "__main__":
    main()
