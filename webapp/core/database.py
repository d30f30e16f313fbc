"""The database: engine and sessions, the same for SQLite (WAL) and PostgreSQL.

Everything that writes goes through `Database.writing`, one transaction each; what is in the rows is for `models` and
`store`. Where the database does not answer, both raise DatabaseDown, and the log has said so.
"""

import fcntl
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import IO, Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnectionFree
from sqlmodel import Session

from webapp.core.data_folder import make_file, opener
from webapp.core.log import Outage

log = logging.getLogger(__name__)

CONNECT_WITHIN = 5  # seconds, where DATABASE_URL does not say otherwise
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=15000", "foreign_keys=ON")


# What the databases say when the fault is not in the query. PostgreSQL, by SQLSTATE: a connection that failed, no room,
# a shutdown, trouble with a disk, a server that may only be read. SQLite: locks, files and disks.
_SERVER_STATES = ("08", "53", "57P", "58", "25006")
_FILE_CODES = {
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_IOERR),
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN),
    *(sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB),
}


class DatabaseDown(SQLAlchemyError):
    """The database cannot be reached, or cannot read or write now; the text is a word or two, and holds no secret.

    Nothing of the transaction is kept, unless the answer to its commit was what got lost.
    """


class Database:
    """Sessions on one database; threads may share it, processes may not."""

    def __init__(self, url: str) -> None:
        self.engine = _sqlite(url) if url.startswith("sqlite") else _postgresql(url)
        self._outage = Outage(log, "the database", "everything waits until it is back")
        file = self.engine.url.database if self.engine.dialect.name == "sqlite" else None
        # A game is read by several queries: a turn that is committed between them must not be seen by half of them.
        # SQLite reads like that by itself.
        self._snapshot = self.engine if file else self.engine.execution_options(isolation_level="REPEATABLE READ")
        self._lock = Path(f"{file}.lock") if file else None

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session to look things up in, all as of one moment; nothing is committed. Raises DatabaseDown."""
        with self._watched(), Session(self._snapshot, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """One transaction: committed at the end of the block, rolled back if the block raises. Raises DatabaseDown."""
        engine = self.engine.execution_options(sqlite_begin="IMMEDIATE")
        with self._watched(), self._turn(), Session(engine, expire_on_commit=False) as session, session.begin():
            yield session

    @contextmanager
    def _watched(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            if (reason := _outage(error)) is None:
                raise
            raise self._down(reason) from None
        self._outage.note_success()

    def _turn(self) -> AbstractContextManager[None]:
        """Waits for its turn to write, where that is given out by a file."""
        if self._lock is None:
            return nullcontext()
        try:
            return _turn_in_line(open(self._lock, "w", opener=opener))
        except OSError as error:
            raise self._down(type(error).__name__) from None

    def _down(self, reason: str) -> DatabaseDown:
        self._outage.note_failure(reason)
        return DatabaseDown(reason)


def _outage(error: Exception) -> str | None:
    """What keeps the database from answering, in a word; None where the error is about something else."""
    if isinstance(error, NoConnectionFree):
        return "no connection is free"
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        code: int = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        return cause.sqlite_errorname if code & 0xFF in _FILE_CODES else None
    if type(cause).__module__.partition(".")[0] != "psycopg":
        return None
    state: str | None = getattr(cause, "sqlstate", None)
    is_broken = state is None and type(cause).__name__ in ("OperationalError", "InterfaceError")
    return type(cause).__name__ if is_broken or (state or "").startswith(_SERVER_STATES) else None


def _postgresql(url: str) -> Engine:
    """Connections are tried before they are used: those of before a restart are not for whoever comes after it."""
    about = {} if "connect_timeout" in make_url(url).query else {"connect_timeout": CONNECT_WITHIN}
    return create_engine(url, hide_parameters=True, pool_pre_ping=True, connect_args=about)


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
def _turn_in_line(lock: IO[str]) -> Iterator[None]:
    """Waits for a file lock, which the kernel hands out in turn; SQLite's own waiting starves whoever is unlucky."""
    with lock as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
