"""The figures of the service: for Prometheus, and as an overview for its operator."""

import logging
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import inf
from threading import Thread

from prometheus_client import REGISTRY, CollectorRegistry, start_wsgi_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from sqlalchemy import ColumnElement
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, SQLModel, col, func, select, text

from webapp.core import metrics
from webapp.core.runtime import Runtime
from webapp.games.clock import way_in
from webapp.games.record.seats import table_name
from webapp.models import GameRow, LetterRow, PlayerRow, SeatRow, TableRow, TurnRow, TurnSource
from webapp.operators import health
from webapp.operators.health import queues
from webapp.outbox import holding

# Serves a process's metrics at METRICS_ADDRESS, in the format of Prometheus, with what waits in the database.
# Each kind of process has a port of its own, counted from the setting's. Of several processes of a kind on one machine,
# each further one has the next port that is ten higher, and keeps it. The processes of one web server count into common
# files instead, so that whichever has the port answers for all of them.

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
        last_seen = health.last_seen(session)
        for process in (health.SCHEDULER, health.WORKER):
            at = last_seen.get(process)
            seen.add_metric([process], (now - at).total_seconds() if at else inf)
        if way_in.is_used(self._runtime.settings):
            stretch = way_in.newest(session)
            seen.add_metric([health.INBOX], (now - stretch.read_up_to).total_seconds() if stretch else inf)
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


# An operator's overview: the running games, and how much is going on. No cards.

DAY, WEEK = timedelta(days=1), timedelta(days=7)


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game, as an operator sees it."""

    id: int
    table: str  # its name: "Ann's table"
    number: int
    turns: int
    started_at: datetime
    ended_at: datetime | None
    due_at: datetime | None
    paused_at: datetime | None


@dataclass(frozen=True, slots=True)
class Figure:
    name: str
    value: int


def running_games(session: Session, most: int) -> Sequence[GameLine]:
    """Up to `most` running games: first those whose deadline is nearest or over, then those without one."""
    due_at = col(GameRow.due_at)
    is_hosts = (col(SeatRow.table_id) == TableRow.id) & (col(SeatRow.seat) == 0)
    found = select(GameRow, TableRow, SeatRow).select_from(GameRow).join(TableRow).join(SeatRow, is_hosts)
    query = found.where(text("game.state = 'playing'"))
    rows = session.exec(query.order_by(due_at.is_(None), due_at, col(GameRow.id)).limit(most))
    return [line_of(game, table, [host]) for game, table, host in rows]


def line_of(game: GameRow, table: TableRow, seats: Sequence[SeatRow]) -> GameLine:
    """The line of a game; of the table's `seats`, the first is enough."""
    times = (game.started_at, game.ended_at, game.due_at, table.pause.since if table.pause else None)
    return GameLine(game.id, table_name(seats), game.number, game.turns, *times)


def figures(session: Session, now: datetime) -> Iterator[Figure]:
    """How much is going on, from the number of players to the letters of the last day."""
    players, games, letters = col(PlayerRow.id), col(GameRow.id), col(LetterRow.id)
    yield _count(session, "players", PlayerRow, col(PlayerRow.forgotten_at).is_(None))
    yield _count(session, "players active within a week", PlayerRow, players > 0, col(PlayerRow.seen_at) > now - WEEK)
    silent = col(PlayerRow.unreachable_at).is_not(None)
    yield _count(session, "players who get no mail", PlayerRow, col(PlayerRow.forgotten_at).is_(None), silent)
    yield _count(session, "tables", TableRow)
    yield _count(session, "games being played", GameRow, games > 0, col(GameRow.ended_at).is_(None))
    yield _count(session, "games ended within a week", GameRow, col(GameRow.ended_at) > now - WEEK)
    yield _count(session, "turns within a day", TurnRow, col(TurnRow.at) > now - DAY)
    yield _count(session, "letters sent within a day", LetterRow, letters > 0, col(LetterRow.sent_at) > now - DAY)


def turns_by_source(session: Session, now: datetime) -> Iterator[Figure]:
    """The turns of the last day, by how they came to be played."""
    by_source = select(TurnRow.source, func.count()).where(col(TurnRow.at) > now - DAY).group_by(col(TurnRow.source))
    for source, number in sorted(session.exec(by_source)):
        yield Figure(str(source), number)


def _count(session: Session, name: str, rows: type[SQLModel], *where: ColumnElement[bool]) -> Figure:
    return Figure(name, session.exec(select(func.count()).select_from(rows).where(*where)).one())
