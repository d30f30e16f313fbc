"""The database: engine and sessions, the same for SQLite (WAL) and PostgreSQL.

Everything that writes goes through `Database.writing`, one transaction each; what is in the rows is for `models` and
`store`.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlmodel import Session

from webapp.data_folder import make_file, opener

PATIENCE = 10  # seconds for a PostgreSQL server to take us in, where its address says nothing else
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=15000", "foreign_keys=ON")


class Database:
    """Sessions on one database; threads may share it, processes may not."""

    def __init__(self, url: str) -> None:
        self.engine = _sqlite(url) if url.startswith("sqlite") else _postgresql(url)
        file = self.engine.url.database if self.engine.dialect.name == "sqlite" else None
        # A game is read by several queries: a turn that is committed between them must not be seen by half of them.
        # SQLite reads like that by itself.
        self._snapshot = self.engine if file else self.engine.execution_options(isolation_level="REPEATABLE READ")
        self._lock = Path(f"{file}.lock") if file else None

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session to look things up in, all as of one moment; nothing is committed."""
        with Session(self._snapshot, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """One transaction: committed at the end of the block, rolled back if the block raises."""
        engine = self.engine.execution_options(sqlite_begin="IMMEDIATE")
        with (
            _turn_in_line(self._lock) if self._lock else nullcontext(),
            Session(engine, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session


def _postgresql(url: str) -> Engine:
    patience = {} if "connect_timeout" in make_url(url).query else {"connect_timeout": PATIENCE}
    return create_engine(url, hide_parameters=True, connect_args=patience)


def _sqlite(url: str) -> Engine:
    engine = create_engine(url, hide_parameters=True)

    @event.listens_for(engine, "do_connect")
    def make_private(*_: Any) -> None:
        # SQLite would make it for everybody to read, and its log and index after it.
        file = engine.url.database
        if file and not file.startswith((":memory:", "file:")) and not Path(file).exists():
            with suppress(OSError):  # SQLite says itself what is wrong
                make_file(Path(file))

    @event.listens_for(engine, "connect")
    def set_pragmas(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # the driver would begin transactions by itself, and late
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A transaction that reads first and writes later fails at once when somebody wrote in between, whatever the
        # busy timeout; so those that will write say so from the start.
        connection.exec_driver_sql("BEGIN " + connection.get_execution_options().get("sqlite_begin", "DEFERRED"))

    return engine


@contextmanager
def _turn_in_line(lock: Path) -> Iterator[None]:
    """Waits for a file lock, which the kernel hands out in turn; SQLite's own waiting starves whoever is unlucky."""
    with open(lock, "w", opener=opener) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
