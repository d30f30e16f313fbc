"""Whether the service can do its work: what `/readyz` checks, with a figure for each check and nothing secret.

The result is kept for a second, so that probes cost little however often they come.
"""

import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from threading import Lock

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from webapp.core.config import Settings
from webapp.core.database import DatabaseDown
from webapp.core.runtime import Runtime
from webapp.games.clock import way_in
from webapp.health import heartbeats
from webapp.health.queues import Queue, overdue_games, queued_letters, unread_mail
from webapp.outbox import holding

KEPT_SECONDS = 1.0
GAME_SECONDS = 300.0  # a deadline or a robot's turn that has waited for longer is a fault
LETTER_SECONDS = 3600.0  # relays are down now and then, and letters are tried again
INBOUND_SECONDS = 600.0
RELAY_SECONDS = 600.0  # a relay is out of reach now and then
SEEN_WITHIN = timedelta(minutes=1)  # beyond the time between two sweeps
MIN_FREE_BYTES = 256 * 1024 * 1024

Figures = dict[str, int | float | str]


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check; `figures` says more, by name."""

    name: str
    is_ok: bool
    figures: Figures = field(default_factory=dict)


class Readiness:
    """The checks of one process; threads share it."""

    def __init__(self, runtime: Runtime, clock: Callable[[], float] = time.monotonic) -> None:
        self._runtime, self._clock, self._began = runtime, clock, clock()
        self._lock = Lock()
        self._known: tuple[float, list[Check]] | None = None

    @property
    def age(self) -> float:
        """For how many seconds this process has been there."""
        return self._clock() - self._began

    def checks(self) -> list[Check]:
        """All checks, at most KEPT_SECONDS old; older ones only while another thread is checking."""
        if (kept := self._kept()) is not None:
            return kept
        if not self._lock.acquire(blocking=self._known is None):
            assert self._known is not None
            return self._known[1]
        try:
            return self._kept() or self._renewed()
        finally:
            self._lock.release()

    def _kept(self) -> list[Check] | None:
        """The checks that are still fresh; None if there are none."""
        is_fresh = self._known is not None and self._clock() - self._known[0] < KEPT_SECONDS
        return self._known[1] if self._known and is_fresh else None

    def _renewed(self) -> list[Check]:
        found = list(check(self._runtime))
        self._known = self._clock(), found
        return found


def check(runtime: Runtime) -> Iterator[Check]:
    """Every check, made now. If the database cannot be used, what depends on it is left out."""
    yield _disk(runtime.settings)
    yield Check("broker", runtime.bell.is_reachable())
    try:
        yield from _checks_of_database(runtime)
    except (DatabaseDown, SQLAlchemyError) as error:
        reason = str(error) if isinstance(error, DatabaseDown) else type(error).__name__
        yield Check("database", False, {"reason": reason})


def _checks_of_database(runtime: Runtime) -> Iterator[Check]:
    started = time.perf_counter()
    version = version_of(runtime)
    taken = round((time.perf_counter() - started) * 1000, 1)
    migrations = Check("migrations", version == newest(), {"version": version, "newest": newest()})
    if migrations.is_ok:
        with runtime.database.reading() as session:
            yield from _work(session, runtime.settings, runtime.now())
    yield Check("database", True, {"milliseconds": taken})
    yield migrations


def version_of(runtime: Runtime) -> str:
    """The version of the database's tables; "none" if it has none. Raises DatabaseDown."""
    try:
        with runtime.database.reading() as session:
            found = session.connection().execute(text("SELECT version_num FROM alembic_version")).scalar()
            return str(found) if found else "none"
    except DatabaseDown:
        raise
    except SQLAlchemyError:  # there is no such table
        return "none"


@cache
def newest() -> str:
    """The version of the tables that this program works with."""
    from webapp import migrations  # Alembic is not needed to serve pages

    return migrations.newest()


def _work(session: Session, settings: Settings, now: datetime) -> Iterator[Check]:
    yield _queue(overdue_games(session, now), GAME_SECONDS)
    yield _letters(session, now)
    yield _queue(unread_mail(session, now), INBOUND_SECONDS)
    seen, within = heartbeats.last_seen(session), SEEN_WITHIN + timedelta(seconds=3 * settings.sweep_seconds)
    for process in (heartbeats.SCHEDULER, heartbeats.WORKER):
        yield _process(process, seen.get(process), now, within)
    if way_in.is_used(settings):
        stretch = way_in.newest(session)
        yield _process(heartbeats.INBOX, stretch.read_up_to if stretch else None, now, way_in.TOLERATED)


def _queue(queue: Queue, most: float) -> Check:
    return Check(queue.name, queue.oldest <= most, {"waiting": queue.waiting, "oldest_seconds": round(queue.oldest)})


def _letters(session: Session, now: datetime) -> Check:
    """Whether letters go out; if our relay takes none, since when, and what it says."""
    check, down = _queue(queued_letters(session, now), LETTER_SECONDS), holding.resting(session, now)
    if down is None:
        return check
    seconds = round((now - (down.since or now)).total_seconds())
    figures = {**check.figures, "relay_down_seconds": seconds, "relay_says": down.reason}
    return Check(check.name, check.is_ok and seconds <= RELAY_SECONDS, figures)


def _process(name: str, seen_at: datetime | None, now: datetime, within: timedelta) -> Check:
    if seen_at is None:
        return Check(name, False, {"seen": "never"})
    return Check(name, now - seen_at <= within, {"seen_seconds_ago": round((now - seen_at).total_seconds())})


def _disk(settings: Settings) -> Check:
    """Whether there is room in DATA_DIR, which holds the embedded defaults."""
    try:
        free = shutil.disk_usage(settings.data_dir).free
    except OSError:
        return Check("disk", False)
    return Check("disk", free >= MIN_FREE_BYTES, {"free_bytes": free})
