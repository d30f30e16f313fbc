"""The whole service as it runs in production: the processes of the Procfile, with the test's own settings."""

import os
import signal
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, MetaData, create_engine, func, select
from sqlalchemy.pool import NullPool

from scripts.run import FIRST, Running, answers, read_procfile, start, stop
from tests.servers import LONG, free_port
from webapp.core.config import read_settings
from webapp.core.runtime import Runtime
from webapp.models import TableRow

SECRET_KEY = "a key that only the tests know and that is long enough"
REST_SECONDS = 0.6  # three sweeps
EVERY_CARD = {"at_once": 1}  # of a table that asks for one card after the other
LOOK_SECONDS = 0.3
# The settings of a process that acts on the same database, and makes the same links and addresses.
SHARED = (
    *("DATA_DIR", "DATABASE_URL", "BROKER_URL", "SECRET_KEYS", "BASE_URL", "PORT"),
    *("SMTP_URL", "REPLY_DOMAIN", "REPLY_MAILBOX", "INBOX_URL"),
)
Rows = dict[str, list[tuple[Any, ...]]]


@dataclass(frozen=True)
class Service:
    """A running service: its address, its database's address, and the file with the output of its processes."""

    address: str
    database: str
    log: Path
    running: Running
    environment: Mapping[str, str]

    def rows(self) -> Rows:
        """Every row of every table, but for the signs of life, which change every few seconds or once a minute."""
        with self._engine.connect() as connection:
            return {
                table.name: sorted(map(tuple, connection.execute(select(table))), key=repr)
                for table in self._tables.sorted_tables
                if table.name not in ("heartbeat", "way_in")
            }

    def count(self, table: str) -> int:
        """How many rows a table has."""
        with self._engine.connect() as connection:
            return connection.scalar(select(func.count()).select_from(self._tables.tables[table])) or 0

    def column(self, table: str, name: str) -> list[Any]:
        """One value of each row of a table."""
        with self._engine.connect() as connection:
            return list(connection.scalars(select(self._tables.tables[table].columns[name])))

    @cached_property
    def _engine(self) -> Engine:
        return create_engine(self.database, poolclass=NullPool)

    @cached_property
    def _tables(self) -> MetaData:
        """All tables, as the database itself knows them."""
        tables = MetaData()
        tables.reflect(self._engine)
        return tables

    def rows_at_rest(self, seconds: float = LONG) -> Rows:
        """Every row, once no work is left and nothing has changed for a while."""
        deadline = time.monotonic() + seconds
        before, since = self.rows(), time.monotonic()
        while self._is_at_work() or time.monotonic() - since < REST_SECONDS:
            time.sleep(LOOK_SECONDS)
            if (now := self.rows()) != before:
                before, since = now, time.monotonic()
            assert time.monotonic() < deadline, "the service does not come to rest"
        return before

    def _is_at_work(self) -> bool:
        """Whether a letter is queued or being sent, or a game is due, now."""
        letter, game = (self._tables.tables[name].c for name in ("letter", "game"))
        queued = select(letter.next_at, letter.message).where(letter.state == "queued")
        woken = select(game.wake_at).where(game.state == "playing")
        now = datetime.now(UTC)
        with self._engine.connect() as connection:
            is_sending = any(message or _is_over(at, now) for at, message in connection.execute(queued))
            return is_sending or any(_is_over(at, now) for (at,) in connection.execute(woken))

    def kill(self, name: str) -> None:
        """Kills a process and all its children at once."""
        process = self.running.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def start_again(self, name: str, **settings: str) -> None:
        """Starts a process, with these settings besides those of the service."""
        with self.log.open("ab") as log:
            self.running.update(start({name: read_procfile()[name]}, {**self.environment, **settings}, log))

    def check(self) -> None:
        """Fails unless every process is still running."""
        ended = [name for name, process in self.running.items() if process.poll() is not None]
        assert not ended, f"ended by itself: {ended}\n{self.log.read_text(errors='replace')[-4000:]}"


def _is_over(moment: datetime | None, now: datetime) -> bool:
    """Whether a time from a database has come."""
    return moment is not None and (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) <= now


@contextmanager
def running_service(folder: Path, only: Collection[str] = (), **settings: str) -> Iterator[Service]:
    """The service, on a free port if none is given, once it answers; every process has ended afterwards.

    `folder` takes its data and its log; settings that are not given have their embedded defaults. With `only`, it
    consists of those processes.
    """
    port = settings.get("PORT") or str(free_port())
    own = {
        "PORT": port,
        "DATA_DIR": str(folder / "var"),
        "INBOX_URL": f"smtp://127.0.0.1:{free_port()}",
        "SECRET_KEYS": SECRET_KEY,
        "MAIL_FROM": "Hearts by Mail <hearts@hearts.example.org>",
        "SWEEP_SECONDS": "0.2",
        "MAILS_A_DAY": "10000",  # games that take minutes instead of weeks
        "PYTHONWARNINGS": "default",
    }
    environment = {**_bare_environment(), **own, **settings}
    commands = {name: command for name, command in read_procfile().items() if not only or name in only}
    with (folder / "service.log").open("wb") as log:
        first = {FIRST: commands.pop(FIRST)} if FIRST in commands else {}
        prepared = sum(process.wait() for process in start(first, environment, log).values())
        service = Service(
            f"http://127.0.0.1:{port}",
            settings.get("DATABASE_URL") or f"sqlite:///{Path(environment['DATA_DIR']) / 'hearts.db'}",
            folder / "service.log",
            start(commands, environment, log) if prepared == 0 else {},
            environment,
        )
        try:
            assert prepared == 0, service.log.read_text(errors="replace")
            _wait_for_an_answer(service)
            yield service
        finally:
            stop(service.running)


class RealClock:
    """The real time, for a runtime beside a running service."""

    def __call__(self) -> datetime:
        return datetime.now(UTC)

    def pass_by(self, _: timedelta) -> None:
        """Does not wait."""


@contextmanager
def runtime_of(service: Service) -> Iterator[Runtime]:
    """A runtime with which a test acts on the running service as one of its processes would."""
    names = (
        "DATA_DIR",
        "DATABASE_URL",
        "BROKER_URL",
        "SECRET_KEYS",
        "REPLY_DOMAIN",
        "REPLY_MAILBOX",
        "INBOX_URL",
        "PORT",
    )
    settings = {name.lower(): service.environment[name] for name in names if name in service.environment}
    made = Runtime(read_settings(**settings), now=RealClock())
    yield made
    made.database.engine.dispose()


def change_table(service: Service, **columns: Any) -> None:
    """Changes the row of the newest table, of which no game has begun."""
    with runtime_of(service) as runtime, runtime.database.writing() as session:
        table = session.get_one(TableRow, session.scalar(select(func.max(TableRow.id))))
        for name, value in columns.items():
            setattr(table, name, value)


def _bare_environment() -> dict[str, str]:
    """Our environment, without the settings of any other service."""
    kept = ("PATH", "HOME", "LANG", "TMPDIR", "SSL_CERT_FILE", "PYTHONDONTWRITEBYTECODE")
    return {name: os.environ[name] for name in kept if name in os.environ}


def _wait_for_an_answer(service: Service) -> None:
    deadline = time.monotonic() + LONG
    while not answers(service.address):
        service.check()
        assert time.monotonic() < deadline, service.log.read_text(errors="replace")[-4000:]
        time.sleep(0.1)
