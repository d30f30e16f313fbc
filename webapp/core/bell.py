"""Waking a worker through the broker, by the name of a task.

A ring says no more than "look": the work itself stands in the database. So a lost ring, or a broker that is down, only
delays work until the next sweep.
"""

import fcntl
import logging
import ssl
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from threading import Lock, Thread, Timer
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from celery import Celery
from kombu.connection import Connection
from kombu.entity import Queue
from kombu.exceptions import OperationalError
from kombu.transport import filesystem
from kombu.utils.json import dumps

from webapp.core.config import Settings
from webapp.core.data_folder import FILE_MODE, make_folder, opener
from webapp.core.log import Outage
from webapp.core.tokens import TOLERANCE

log = logging.getLogger(__name__)

DELIVER = "worker.tasks.deliver"  # letters are queued
# Its argument is the id of a game in which a player's turn has left a robot at turn.
PLAY_FOR_ABSENT = "worker.tasks.play_for_absent"
PLAY_DUE = "worker.tasks.play_due"  # games are due
DO_DUE = "worker.tasks.do_due"  # what one worker does is due: mail has come in, a wait is over (`worker.scheduler`)
REPORT = "worker.tasks.report"  # a worker shall show that it is alive
# Workers take from the queues in turn. So mail does not wait behind games, and a robot that answers a player does not
# wait behind thousands of games that are due.
QUEUES = {
    DELIVER: "mails",
    DO_DUE: "mails",
    REPORT: "mails",
    PLAY_FOR_ABSENT: "games",
    PLAY_DUE: "due",
}
GAP = 0.05  # seconds between two rings for mails
TIMEOUT, RING_TIMEOUT = 10, 2  # seconds for which a worker waits for the broker, and at most a player who rings
SPARED = 5.0  # seconds for which a process spares a broker that has not answered
RING_TTL = timedelta(seconds=60)  # after which an unread ring is useless: the sweep has rung again by then


class Bell:
    """Rings for the workers; safe to share between threads."""

    def __init__(self, settings: Settings) -> None:
        self._celery = broker_client(settings, RING_TIMEOUT, max_retries=0)
        self._failures = _failures(self._celery.connection_for_write())  # it does not connect yet
        self._spared_until = 0.0  # by time.monotonic; 0 if the last ring went out
        self._outage = Outage(log, "the broker", "the next sweep finds what is due")
        self._for_mails = Spaced(lambda: self.ring(DELIVER), GAP)

    def deliver(self) -> None:
        """Rings for the letters at once; within GAP of the last ring, rings once at the end of it for all who asked.

        A worker that looks finds all that was queued before. If each turn rang, workers would mostly look in vain.
        """
        self._for_mails.do()

    def ring(self, task: str, *args: int) -> None:
        """Rings for a task, unless the broker has just not answered: else every turn would wait for it in vain.

        Later, it is tried again by a thread of its own, so that an outage holds up one player at most.
        """
        if not self._spared_until:
            self._send(task, args)
        elif time.monotonic() >= self._spared_until:
            self._spared_until = time.monotonic() + SPARED
            Thread(target=self._send, args=(task, args), daemon=True).start()

    def is_reachable(self) -> bool:
        """Whether the broker answers now, within the timeouts of its connection."""
        with self._celery.connection_for_write() as connection:
            try:
                connection.ensure_connection(max_retries=0).channel().close()
            except _failures(connection):
                return False
        return True

    def _send(self, task: str, args: tuple[int, ...]) -> None:
        try:
            # The worker compares the end of a ring with its own clock: one that is ahead would drop every ring.
            lasts = RING_TTL + TOLERANCE
            self._celery.send_task(task, args, expires=lasts.total_seconds(), ignore_result=True)
        except self._failures as error:
            self._spared_until = time.monotonic() + SPARED
            self._outage.note_failure(type(self._first_cause(error)).__name__)
        else:
            self._spared_until = 0.0
            self._outage.note_success()

    def _first_cause(self, error: BaseException) -> BaseException:
        """The first error of the chain, such as a refused connection: libraries wrap it in their own errors."""
        before = error.__cause__ or error.__context__
        return self._first_cause(before) if isinstance(before, self._failures) else error


class Spaced:
    """Does something now, or `gap` seconds after it was last begun: once, however often it is asked for until then."""

    def __init__(self, action: Callable[[], None], gap: float) -> None:
        self._action, self._gap = action, gap
        self._lock = Lock()
        self._begun = -gap
        self._later: Timer | None = None

    def do(self) -> None:
        with self._lock:
            if self._later is not None and self._later.is_alive():  # in a process that was forked, it is not
                return
            wait = self._begun + self._gap - time.monotonic()
            if wait > 0:
                self._later = Timer(wait, self._do_later)
                self._later.daemon = True
                self._later.start()
                return
            self._begun = time.monotonic()
        self._action()

    def _do_later(self) -> None:
        with self._lock:
            self._later, self._begun = None, time.monotonic()  # first: who asks during the action needs another one
        self._action()


def _failures(connection: Connection) -> tuple[type[Exception], ...]:
    """The errors of a broker that is down or rejects us: RabbitMQ counts a wrong password among those of a channel."""
    return (OperationalError, OSError, *connection.connection_errors, *connection.channel_errors)


def broker_client(settings: Settings, timeout: int = TIMEOUT, **options: int) -> Celery:
    """A Celery app on the configured broker, both to send tasks and to work on them.

    It waits for `timeout` seconds. The `options` are those of Kombu's connections.
    """
    app = Celery("hearts", broker=settings.broker, set_as_current=False)
    app.conf.update(
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_ignore_result=True,
        task_publish_retry=False,
        task_queues=[Queue(name) for name in sorted(set(QUEUES.values()))],  # type: ignore[no-untyped-call]
        task_routes={task: {"queue": name} for task, name in QUEUES.items()},
        # No limit: with Redis, a worker at its limit whose broker is lost asks for nothing more, so that it never sees
        # that its connection is gone (Kombu 5.7). And a polled broker hands out only one task a poll at a limit of 1.
        worker_prefetch_multiplier=0,
        # After an outage of the broker, threads would raise it again, each on the connection of all, and hang there.
        worker_enable_prefetch_count_reduction=False,
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,  # by default a worker ends after a hundred, within an hour
        broker_connection_timeout=2,
        broker_transport="webapp.core.bell:Transport" if settings.broker.startswith("filesystem") else None,
        broker_transport_options={**_transport_options(settings, timeout), **options},
        broker_use_ssl=_tls(settings),
    )
    return app


def _tls(settings: Settings) -> dict[str, Any] | None:
    """Has Kombu verify the certificate of a broker with TLS, and its name; by default it does not verify both.

    The query of a `rediss:` address may override this.
    """
    url = urlsplit(settings.broker)
    if url.scheme == "rediss":
        return {"ssl_cert_reqs": ssl.CERT_REQUIRED, "ssl_check_hostname": True}
    return {"server_hostname": url.hostname} if url.scheme == "amqps" else None


def _transport_options(settings: Settings, timeout: int) -> dict[str, Any]:
    if settings.broker.startswith("filesystem"):
        folder = settings.data_dir.absolute() / "broker"
        for needed in (folder, folder / "queue", folder / "control"):
            make_folder(needed)
        return {
            # One folder for both directions: each process reads what the others write.
            "data_folder_in": str(folder / "queue"),
            "data_folder_out": str(folder / "queue"),
            "control_folder": str(folder / "control"),
            "polling_interval": 0.1,
        }
    if settings.is_broker_redis:
        # After the visibility timeout Redis gives a lost worker's task to another; it checks every interval x throttle.
        return {
            "visibility_timeout": 300,
            "unacked_restore_interval": 5,
            "unacked_restore_throttle": 1,
            "socket_connect_timeout": 2,
            "socket_timeout": timeout,
        }
    # RabbitMQ stops reading from publishers when it is short of memory or disk, for as long as that lasts.
    return {"write_timeout": timeout}


# The embedded broker: Kombu's filesystem transport, made safe for processes that start and poll concurrently.
# Kombu creates a file and fills it afterwards. In between, a polling worker would crash on an empty message, and a
# starting process on an empty table of queues. All files are closed to other users of the machine. `_put` and
# `_queue_bind` are methods that Kombu's manual has a virtual transport define.

ONE_WAIT = 0.3  # seconds


class Channel(filesystem.Channel):
    """Messages appear complete, and one process at a time reads or changes the table of queues."""

    def _put(self, queue: Any, payload: Any, **_: Any) -> None:  # type: ignore[override]  # the parent does, too
        folder = Path(self.data_folder_out)
        name = f"{round(monotonic() * 1000)}_{uuid.uuid4()}"
        part = folder / f"{name}.part"  # workers look for names that end in .msg
        with open(part, "xb", opener=opener) as file:
            file.write(dumps(payload).encode())  # type: ignore[no-untyped-call]
        part.replace(folder / f"{name}.{queue}.msg")

    def get_table(self, exchange: str) -> Any:
        with self._exclusively():
            return super().get_table(exchange)  # type: ignore[no-untyped-call]

    def _queue_bind(self, exchange: str, *binding: Any) -> None:
        with self._exclusively():
            super()._queue_bind(exchange, *binding)  # type: ignore[no-untyped-call]
            (self.control_folder / f"{exchange}.exchange").chmod(FILE_MODE)

    @contextmanager
    def _exclusively(self) -> Iterator[None]:
        with open(self.control_folder / "lock", "w", opener=opener) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


class Transport(filesystem.Transport):
    """A worker waits for a message a little while at a time: only in between does it see that it is to stop."""

    Channel = Channel

    def drain_events(self, connection: Any, timeout: float | None = None) -> None:  # type: ignore[override]
        wait = None if timeout is None else min(timeout, ONE_WAIT)
        super().drain_events(connection, timeout=wait)  # type: ignore[no-untyped-call]
