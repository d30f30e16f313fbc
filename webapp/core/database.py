"""The database: engine and sessions, the same for SQLite (WAL) and PostgreSQL.

Every write goes through `Database.writing`, as one transaction. The rows themselves are the subject of `models` and
`store`. When the database does not answer, `reading` and `writing` log that and raise DatabaseDown.
`claim` gives rows that are due to one worker; `in_batches` and `one_by_one` work through many.
"""

import fcntl
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self, TypeVar

from sqlalchemy import ColumnElement, Connection, Dialect, Engine, TextClause, create_engine, event, make_url, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnectionFree
from sqlalchemy.orm import Mapped
from sqlmodel import Session, SQLModel, col, select, update

from webapp.core.data_folder import make_file, opener
from webapp.core.log import Outage, about

# SQLite as the service needs it: a private file with a write-ahead log, transactions that begin when they should, and
# the right to write, which is granted in order of request.

BUSY_SECONDS = 15
PRAGMAS = (f"busy_timeout={1000 * BUSY_SECONDS}", "synchronous=FULL", "foreign_keys=ON")


_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_BEGIN = "sqlite_begin"  # of our own: how a transaction of these connections begins


def sqlite_engine(url: str) -> Engine:
    """An engine whose transactions begin with their first statement, as SQLAlchemy's manual has it for SQLite."""
    engine = create_engine(url, hide_parameters=True)
    event.listen(engine, "do_connect", _before_connecting)
    event.listen(engine, "connect", _connected)
    event.listen(engine, "begin", _begin)
    return engine


def damage(error: BaseException, file: str | None) -> str | None:
    """Sentences for an operator about a database `file` that `error` calls damaged; None if it does not."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    if not isinstance(cause, sqlite3.Error) or getattr(cause, "sqlite_errorcode", 0) & 0xFF not in _DAMAGED:
        return None
    return damaged(file, cause.sqlite_errorname)


def damaged(file: object, why: str) -> str:
    """Sentences for an operator about a damaged database file and the way out, without the last full stop."""
    return (
        f"{file} is damaged ({why}). Move it away with the files beside it whose names begin like it, and restore the "
        "newest backup: hearts-by-mail restore FOLDER"
    )


def writing(engine: Engine) -> Engine:
    """The same engine for transactions that write: each has the right to from its beginning.

    One that reads first and writes later fails at once if another one wrote in between, whatever the busy timeout.
    """
    return engine.execution_options(**{_BEGIN: "IMMEDIATE"})


def _before_connecting(_dialect: Dialect, _record: Any, arguments: Sequence[Any], _options: Mapping[str, Any]) -> None:
    """Creates the database file, unless there is one, so that only its owner may read it.

    SQLite would let everybody read a file that it creates. To its log and its index it gives the mode of the database.
    """
    file = Path(str(arguments[0]))
    if not (str(file).startswith((":memory:", "file:")) or file.exists()):
        with suppress(OSError):  # SQLite reports the problem itself
            make_file(file)


def _connected(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # else the driver begins transactions itself, and too late
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    # A new file has no write-ahead log yet. SQLite waits for no other connection that is just writing to it, however
    # long its busy timeout.
    last = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > last:
                raise
            time.sleep(0.01)
        else:
            return


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(f"BEGIN {connection.get_execution_options().get(_BEGIN, 'DEFERRED')}")


@contextmanager
def file_lock(file: int) -> Iterator[None]:
    """Holds a lock on an open file, which it then closes. The kernel grants it in order of request; SQLite's own busy
    wait may starve a writer.
    """
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)


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


# PostgreSQL as the service needs it: connections that are tested before use, and limits for waiting.

# Unless DATABASE_URL says otherwise. Where a network takes packets and brings nothing back, the system would wait for a
# quarter of an hour, and for two if a process only listens.
WAITS = {
    "connect_timeout": 5,  # seconds
    "tcp_user_timeout": 10_000,  # milliseconds for which nobody confirms what was sent
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
# The server would keep the locks of a lost machine for hours. Beyond these limits, it ends
# an idle transaction, and cancels a statement that waits for a lock.
LIMITS = {"idle_in_transaction_session_timeout": "60s", "lock_timeout": "15s"}


def postgresql_engine(url: str) -> Engine:
    """An engine that tests pooled connections before it uses them, because a restart of the server breaks them."""
    address = make_url(url).set(drivername="postgresql+psycopg")
    options = " ".join(f"-c {name}={limit}" for name, limit in LIMITS.items())
    wanted = {**WAITS, "options": options}
    return create_engine(
        address,
        hide_parameters=True,
        pool_pre_ping=True,
        connect_args={name: value for name, value in wanted.items() if name not in address.query},
    )


def lift_limits(connection: Connection) -> None:
    """Lifts both limits until the connection's present transaction ends."""
    for name in LIMITS:
        connection.execute(text(f"SET LOCAL {name} = 0"))


# Works through many items, so that none holds up the others: neither by its locks nor by a failure.

Item = TypeVar("Item")
Find = Callable[[Session, int], Sequence[int]]
BatchChange = Callable[[Session, Sequence[int]], int]
TRIED_AGAIN_AFTER = timedelta(hours=1)  # where one that has failed is put off


def one_by_one(
    what: str,
    items: Iterable[Item],
    do: Callable[[Item], object],
    put_off: Callable[[Item], object] | None = None,
) -> None:
    """Does each of the items. One that fails is logged as `what`, by its number, and put off, and the next is done.

    Raises DatabaseDown: then no other item can be done, either.
    """
    for item in items:
        if not _is_done(what, item, do) and put_off is not None:
            _is_done(what, item, put_off)


def in_batches(database: Database, find: Find, change: BatchChange, what: str) -> int:
    """Changes all rows that `find` finds, a batch in each transaction. Returns the sum of what `change` returns.

    `find` takes an id and returns the next few ids after it, in order. Other transactions may commit between `find` and
    `change`, which takes the same ids: it locks the rows, and looks again which of them it should change. If a batch
    fails, its rows are changed one by one; one that fails again is logged as `what`, and stays for the next call.
    """
    last = changed = 0

    def change_together(ids: Sequence[int]) -> None:
        nonlocal changed
        with database.writing() as session:
            number = change(session, ids)
        changed += number

    while True:
        with database.reading() as session:
            ids = find(session, last)
        if not ids:
            return changed
        try:
            change_together(ids)
        except DatabaseDown:
            raise
        except Exception:  # noqa: BLE001  alone, each that fails is logged
            log.warning("%d rows could not be changed together (%s); each is tried alone", len(ids), what)
            one_by_one(what, ids, lambda one: change_together([one]))
        last = ids[-1]


def _is_done(what: str, item: Item, do: Callable[[Item], object]) -> bool:
    with about(**{what: item if isinstance(item, int) else str(item)}):
        try:
            do(item)
        except DatabaseDown:
            raise
        except Exception:
            log.exception("%s %s failed; the next is done", what, item)
            return False
    return True


# Claims rows that are due: each goes to one worker for a lease, after which it is due again.
# A claim is one statement, so that two workers never get the same row: PostgreSQL skips rows that another worker has
# locked, and SQLite lets one connection write at a time.

Row = type[SQLModel]


def claim(
    session: Session,
    row_class: Row,
    due_at: Mapped[Any],
    is_open: TextClause,
    now: datetime,
    limit: int,
    *also: ColumnElement[bool],
    **values: ColumnElement[Any] | datetime | str,
) -> list[int]:
    """Claims up to `limit` open rows that are due, longest due first, by setting `values`; returns their ids.

    `due_at` is the column by which they are due, `also` are further conditions. `is_open` must be a literal, so that
    the partial index is used.
    """
    id_column = col(row_class.id)  # type: ignore[attr-defined]
    due = select(id_column).where(is_open, due_at <= now, *also).order_by(due_at).limit(limit)
    # An expression of its own is read once. A subquery, PostgreSQL would repeat for each row if it believed that there
    # are few, and each time skip those that it has just claimed.
    found = due.with_for_update(skip_locked=True).cte("due")
    claimed = update(row_class).where(id_column.in_(select(found.c.id))).values(**values).returning(id_column)
    # Past the ORM: it would look each row up in the session, where no caller has loaded any.
    return sorted(session.connection().execute(claimed).scalars().all())
