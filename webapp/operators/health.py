"""The health of the service: signs of life, the queues in the database, and whether it can do its work."""

import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from threading import Lock
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, bindparam, case, literal_column, or_, text
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, func, select
from sqlmodel.sql.sqltypes import UTCDateTime

from webapp.core.config import Settings
from webapp.core.database import DatabaseDown
from webapp.core.runtime import Runtime
from webapp.games.clock import way_in
from webapp.models import WAITING_QUESTION, GameRow, HeartbeatRow, InboundRow, LetterRow, PlayerRow
from webapp.outbox import holding
from webapp.play.due_games import LEASES

# The signs of life of the scheduler and the workers, which every other process can see in the database.
# A scheduler writes when all of its sweeps have last finished, and rings for a worker that writes in turn: so a
# worker's sign of life shows that the broker passes rings on, too.

SCHEDULER, WORKER = "scheduler", "worker"
INBOX = "inbox"  # whose sign of life is `games.clock.way_in`: that it lives says less than that it reads
EVERY = timedelta(seconds=10)

# One atomic statement on either database. Of several processes of a kind, the last sign of life counts.
_NOTE: Final = text(
    "INSERT INTO heartbeat (process, seen_at) VALUES (:process, :at) "
    "ON CONFLICT (process) DO UPDATE SET seen_at = excluded.seen_at WHERE heartbeat.seen_at < excluded.seen_at"
).bindparams(bindparam("at", type_=UTCDateTime()))


def note_alive(session: Session, process: str, at: datetime) -> None:
    """Records that a process of that kind was alive at `at`, unless one is known to have been later."""
    session.connection().execute(_NOTE, {"process": process, "at": at})


def last_seen(session: Session) -> dict[str, datetime]:
    """By kind of process, its last sign of life; a kind that was never seen is missing."""
    return {row.process: row.seen_at for row in session.exec(select(HeartbeatRow))}


# The queues in the database, with waiting times: games for a robot or a deadline, letters, questions, incoming mail.
# Each figure takes queries by an index over open rows, so that it may be asked for every few seconds.

QUESTION_SECONDS = 300.0  # a question that no relay has accepted by then is a fault
_PLAYING, _QUEUED, _UNHANDLED = text("state = 'playing'"), text("state = 'queued'"), text("handled_at IS NULL")


@dataclass(frozen=True, slots=True)
class Queue:
    """How many rows wait, and for how many seconds the one that has waited longest; 0 seconds if none waits."""

    name: str
    waiting: int
    oldest: float


def queues(session: Session, now: datetime) -> Iterator[Queue]:
    """All queues: "games", "letters", "questions" and "inbound"."""
    yield overdue_games(session, now)
    yield queued_letters(session, now)
    yield late_questions(session, now)
    yield unread_mail(session, now)


def overdue_games(session: Session, now: datetime) -> Queue:
    """Games whose deadline is over, or in which a robot has to play or a reminder is due, whether or not a worker has
    been rung for.
    """
    is_late = col(GameRow.due_at) <= now
    since = case((is_late, col(GameRow.due_at)), else_=col(GameRow.wake_at))
    soon = col(GameRow.wake_at) <= now + LEASES[-1]  # a claim moves `wake_at` ahead by a lease
    return _queue(session, "games", since, now, _PLAYING, and_(soon, or_(is_late, col(GameRow.wake_at) <= now)))


def queued_letters(session: Session, now: datetime) -> Queue:
    """Letters that should be out: due, or tried without success. One that was tried counts from when it was due first.

    A letter that waits because of its reader's preferences, a daily limit or a slow domain is not due.
    """
    was_tried = col(LetterRow.tries) > 0
    since = case((was_tried, col(LetterRow.created_at)), else_=col(LetterRow.next_at))
    return _queue(session, "letters", since, now, _QUEUED, or_(col(LetterRow.next_at) <= now, was_tried))


def late_questions(session: Session, now: datetime) -> Queue:
    """Mails about turns that no relay has accepted within QUESTION_SECONDS, and players at whom no worker has looked
    for as long: they do not know that it is their turn.
    """
    until = now - timedelta(seconds=QUESTION_SECONDS)
    since, look_at = col(LetterRow.created_at), col(PlayerRow.turns_at)
    mails = _queue(session, "questions", since, now, text(WAITING_QUESTION), since <= until)
    players = _queue(session, "questions", look_at, now, text("turns_at IS NOT NULL"), look_at <= until)
    return Queue("questions", mails.waiting + players.waiting, max(mails.oldest, players.oldest))


def unread_mail(session: Session, now: datetime) -> Queue:
    """Incoming mails that no worker has handled yet."""
    since = col(InboundRow.received_at)
    return _queue(session, "inbound", since, now, _UNHANDLED, since <= now)


def _queue(session: Session, name: str, since: Any, now: datetime, is_open: Any, is_due: ColumnElement[bool]) -> Queue:
    """`is_open` is a literal, so that the partial index is used."""
    found = select(func.count(literal_column("*")), func.min(since)).where(is_open, is_due)
    number, first = session.exec(found).one()
    return Queue(name, number, max(0.0, (now - first).total_seconds()) if first else 0.0)


# Whether the service can do its work: what `/readyz` checks, with a figure for each check and nothing secret.
# The result is kept for a second, so that probes cost little however often they come.

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
            kept = self._kept()
            if kept is None:
                kept = list(check(self._runtime))
                self._known = self._clock(), kept
            return kept
        finally:
            self._lock.release()

    def _kept(self) -> list[Check] | None:
        """The checks that are still fresh; None if there are none."""
        is_fresh = self._known is not None and self._clock() - self._known[0] < KEPT_SECONDS
        return self._known[1] if self._known and is_fresh else None


def check(runtime: Runtime) -> Iterator[Check]:
    """Every check, made now. If the database cannot be used, what depends on it is left out."""
    try:
        free = shutil.disk_usage(runtime.settings.data_dir).free  # which holds the embedded defaults
    except OSError:
        yield Check("disk", False)
    else:
        yield Check("disk", free >= MIN_FREE_BYTES, {"free_bytes": free})
    yield Check("broker", runtime.bell.is_reachable())
    try:
        started = time.perf_counter()
        version = version_of(runtime)
        taken = round((time.perf_counter() - started) * 1000, 1)
        migrations = Check("migrations", version == newest(), {"version": version, "newest": newest()})
        if migrations.is_ok:
            with runtime.database.reading() as session:
                yield from _work(session, runtime.settings, runtime.now())
        yield Check("database", True, {"milliseconds": taken})
        yield migrations
    except (DatabaseDown, SQLAlchemyError) as error:
        reason = str(error) if isinstance(error, DatabaseDown) else type(error).__name__
        yield Check("database", False, {"reason": reason})


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
    yield _check_queue(overdue_games(session, now), GAME_SECONDS)
    letters, down = _check_queue(queued_letters(session, now), LETTER_SECONDS), holding.resting(session, now)
    if down is not None:
        seconds = round((now - (down.since or now)).total_seconds())
        figures = {**letters.figures, "relay_down_seconds": seconds, "relay_says": down.reason}
        letters = Check(letters.name, letters.is_ok and seconds <= RELAY_SECONDS, figures)
    yield letters
    yield _check_queue(unread_mail(session, now), INBOUND_SECONDS)
    seen, within = last_seen(session), SEEN_WITHIN + timedelta(seconds=3 * settings.sweep_seconds)
    for process in (SCHEDULER, WORKER):
        yield _process(process, seen.get(process), now, within)
    if way_in.is_used(settings):
        stretch = way_in.newest(session)
        yield _process(INBOX, stretch.read_up_to if stretch else None, now, way_in.TOLERATED)


def _check_queue(queue: Queue, most: float) -> Check:
    return Check(queue.name, queue.oldest <= most, {"waiting": queue.waiting, "oldest_seconds": round(queue.oldest)})


def _process(name: str, seen_at: datetime | None, now: datetime, within: timedelta) -> Check:
    if seen_at is None:
        return Check(name, False, {"seen": "never"})
    return Check(name, now - seen_at <= within, {"seen_seconds_ago": round((now - seen_at).total_seconds())})
