"""Serves a process's metrics at METRICS_ADDRESS, in the format of Prometheus, with what waits in the database.

Each kind of process has a port of its own, counted from the setting's. Of several processes of a kind on one machine,
each further one has the next port that is ten higher, and keeps it. The processes of one web server count into common
files instead, so that whichever has the port answers for all of them.
"""

import logging
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from math import inf
from threading import Thread

from prometheus_client import REGISTRY, CollectorRegistry, start_wsgi_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, func, select, text

from webapp.core import metrics
from webapp.core.runtime import Runtime
from webapp.games.clock import way_in
from webapp.health import heartbeats
from webapp.health.queues import queues
from webapp.models import GameRow, TurnSource
from webapp.outbox import holding

WEB, WORKER, SCHEDULER, INBOX = range(4)  # what is added to the port of METRICS_ADDRESS
PORT_STEP = 10  # to the port of the next process of a kind
MOST_PROCESSES = 10  # of a kind that have a port
FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # the library's name for where several processes count together
RETRY_SECONDS = 2.0
PROBLEMS = ("warning", "error", "critical")  # levels of lines in the log


class DatabaseCollector(Collector):
    """The figures on queues, games and live processes, asked of the database at each scrape."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def describe(self) -> Iterable[Metric]:
        return ()  # so that nothing is asked of the database before the first scrape

    def collect(self) -> Iterator[Metric]:
        """Every figure; only that the database is down, if it is."""
        try:
            with self._runtime.database.reading() as session:
                found = list(self._figures(session))
        except SQLAlchemyError:
            found = []
        yield GaugeMetricFamily("hearts_database_up", "Whether the database answers.", float(bool(found)))
        yield from found

    def _figures(self, session: Session) -> Iterator[Metric]:
        now = self._runtime.now()
        waiting = GaugeMetricFamily("hearts_waiting", "What is due and not done, by queue.", labels=["queue"])
        oldest = GaugeMetricFamily("hearts_oldest_seconds", "How long it has been due, by queue.", labels=["queue"])
        for queue in queues(session, now):
            waiting.add_metric([queue.name], queue.waiting)
            oldest.add_metric([queue.name], queue.oldest)
        yield waiting
        yield oldest
        seen = GaugeMetricFamily("hearts_seen_seconds", "Since the last sign of life.", labels=["process"])
        last_seen = heartbeats.last_seen(session)
        for process in (heartbeats.SCHEDULER, heartbeats.WORKER):
            at = last_seen.get(process)
            seen.add_metric([process], (now - at).total_seconds() if at else inf)
        if way_in.is_used(self._runtime.settings):
            stretch = way_in.newest(session)
            seen.add_metric([heartbeats.INBOX], (now - stretch.read_up_to).total_seconds() if stretch else inf)
        yield seen
        down = holding.resting(session, now)
        seconds = (now - down.since).total_seconds() if down and down.since else 0.0
        told = "For how long the relay has taken no mail; 0 if it takes mail."
        yield GaugeMetricFamily("hearts_relay_down_seconds", told, seconds)
        running = session.exec(select(func.count()).select_from(GameRow).where(text("state = 'playing'"))).one()
        yield GaugeMetricFamily("hearts_running_games", "Games that are being played.", running)


class LineCounter(logging.Handler):
    """Counts the lines that this process logs."""

    def emit(self, record: logging.LogRecord) -> None:
        metrics.LOG_LINES.labels(record.levelname.lower()).inc()


def serve(runtime: Runtime, kind: int) -> None:
    """Begins to serve this process's metrics in the background, if METRICS_ADDRESS is set."""
    if place := runtime.settings.metrics_place:
        host, port = place
        begin_at_zero()
        logging.getLogger().addHandler(LineCounter())
        places = [(at, host) for at in ports(port + kind)]
        Thread(target=_serve, args=(registry(runtime), places), name="metrics", daemon=True).start()


def begin_at_zero() -> None:
    """Makes all counters of what happens or fails, as Prometheus sees no increase to a counter's first value."""
    for source in TurnSource:
        metrics.TURNS.labels(source.value)
    for outcome in metrics.OUTCOMES:
        for provider in (*sorted({*metrics.PROVIDERS.values()}), metrics.OTHER):
            metrics.LETTERS.labels(outcome, provider)
    for became in metrics.FAILED:
        metrics.FAILED_MAILS.labels(became)
    for level in PROBLEMS:
        metrics.LOG_LINES.labels(level)


def ports(first: int) -> list[int]:
    """The ports at one of which this process serves, the most wanted first."""
    return [first] if FOLDER in os.environ else [*range(first, 2**16, PORT_STEP)][:MOST_PROCESSES]


def registry(runtime: Runtime) -> CollectorRegistry:
    """Everything that this process exports, and what those counted that share its files."""
    if FOLDER in os.environ:
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        together.register(DatabaseCollector(runtime))
        return together
    REGISTRY.register(DatabaseCollector(runtime))
    return REGISTRY


def _serve(figures: CollectorRegistry, places: Sequence[tuple[int, str]]) -> None:
    """Serves at the first of the places that is free; waits for one as long as each has a server, or none is ours."""
    while True:
        for place in places:
            with suppress(OSError):
                start_wsgi_server(*place, registry=figures)
                return
        time.sleep(RETRY_SECONDS)
