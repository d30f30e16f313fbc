"""The database: engine and sessions, the same for SQLite (WAL) and PostgreSQL.

Every write goes through `Database.writing`, as one transaction. The rows themselves are the subject of `models` and
`store`. When the database does not answer, `reading` and `writing` log that and raise DatabaseDown.
"""

import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnectionFree
from sqlmodel import Session

from webapp.core.data_folder import opener
from webapp.core.log import Outage
from webapp.core.sqlite import damage, file_lock, sqlite_engine, writing

log = logging.getLogger(__name__)

# Errors that are the server's and not the query's. PostgreSQL, by prefix of the SQLSTATE: connection failure, lack of
# resources, shutdown, system error, read-only server, a transaction that was idle, waited for a lock for too long, or
# was ended so that another one that waited for its locks could go on.
# SQLite: locks, files and disks.
_SERVER_STATES = ("08", "53", "57P", "58", "25006", "25P03", "40P01", "55P03")
_BROKEN = ("OperationalError", "InterfaceError", "ConnectionTimeout")  # of psycopg, which come without a SQLSTATE
_FILE_CODES = {
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_IOERR),
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN),
    *(sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB),
}


_SNAPSHOT = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
_TIME = text("SELECT clock_timestamp()")  # of PostgreSQL
ONLY_READS = "only reads"  # in the notes of a session


class DatabaseDown(SQLAlchemyError):
    """The database cannot be reached, or cannot read or write now; the text says why, without any secret.

    The transaction was rolled back, unless the connection broke during its commit: then it may have been committed.
    """


def only_reads(session: Session) -> bool:
    """Whether the session sees one committed state of the database, and commits nothing."""
    return ONLY_READS in session.info


class Database:
    """Sessions on one database; threads may share it, processes may not."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        is_sqlite = self.engine.dialect.name == "sqlite"
        self._outage = Outage(log, "the database", "everything waits until it is back")
        self._lock = Path(f"{self.engine.url.database}.lock") if is_sqlite and self.engine.url.database else None
        # Loading a game takes several queries, all of which must see the same turns. A transaction of SQLite sees one
        # moment anyway, and one that reads first and writes later fails at once if another one wrote in between.
        self._reader = self.engine if is_sqlite else self.engine.execution_options(**_SNAPSHOT)
        self._writer = writing(self.engine) if is_sqlite else self.engine

    @classmethod
    def at(cls, url: str) -> Self:
        """The database at that address, which is connected to when it is needed."""
        return cls(engine_at(url))

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that reads one consistent snapshot and commits nothing. Raises DatabaseDown."""
        with (
            self._reporting_outages(),
            Session(self._reader, autoflush=False, expire_on_commit=False, info={ONLY_READS: True}) as session,
        ):
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session of one transaction: committed after the block, rolled back if that raises. Raises DatabaseDown."""
        with (
            self._reporting_outages(),
            self._write_lock(),
            Session(self._writer, expire_on_commit=False) as session,
            session.begin(),
        ):
            session.connection()  # the transaction begins here, not with its first statement
            yield session

    def time(self) -> datetime:
        """The time by the database's clock, in UTC: SQLite's is this machine's. Raises DatabaseDown."""
        if self.engine.dialect.name == "sqlite":
            return datetime.now(UTC)
        try:
            with self.engine.connect() as connection:
                found: datetime = connection.execute(_TIME).scalar_one()
        except Exception as error:
            if (reason := _outage_reason(error)) is None:
                raise
            raise DatabaseDown(reason) from None
        return found.astimezone(UTC)

    @contextmanager
    def _reporting_outages(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            if (reason := damage(error, self.engine.url.database) or _outage_reason(error)) is None:
                raise
            raise self._down(reason) from None
        self._outage.note_success()

    def _write_lock(self) -> AbstractContextManager[None]:
        """Waits for the right to write, which a lock file hands out where the database is a SQLite file."""
        if self._lock is None:
            return nullcontext()
        try:
            return file_lock(opener(str(self._lock), os.O_WRONLY | os.O_CREAT))
        except OSError as error:
            raise self._down(type(error).__name__) from None

    def _down(self, reason: str) -> DatabaseDown:
        self._outage.note_failure(reason)
        return DatabaseDown(reason)


def engine_at(url: str) -> Engine:
    """The connections to the database at that address, set up as the service needs them."""
    if url.startswith("sqlite"):
        return sqlite_engine(url)
    from webapp.core.postgresql import postgresql_engine  # a driver that SQLite does without

    return postgresql_engine(url)


def _outage_reason(error: Exception) -> str | None:
    """The name of the failure if the database is unavailable; None if `error` is about something else."""
    if isinstance(error, NoConnectionFree):
        return "no connection is free"
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        code: int = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        return cause.sqlite_errorname if code & 0xFF in _FILE_CODES else None
    if type(cause).__module__.partition(".")[0] != "psycopg":
        return None
    state: str | None = getattr(cause, "sqlstate", None)
    is_broken = state is None and type(cause).__name__ in _BROKEN
    return type(cause).__name__ if is_broken or (state or "").startswith(_SERVER_STATES) else None
