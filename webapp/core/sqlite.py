"""SQLite as the service needs it: a private file with a write-ahead log, transactions that begin when they should, and
the right to write, which is granted in order of request.
"""

import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, make_url
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

from webapp.core.data_folder import make_file

BUSY_SECONDS = 15
PRAGMAS = (f"busy_timeout={1000 * BUSY_SECONDS}", "synchronous=FULL", "foreign_keys=ON")


class Dialect(SQLiteDialect_pysqlite):
    """SQLAlchemy's, which also begins each transaction: the driver would do it itself, and too late.

    Listeners to SQLAlchemy's events could do the same, but it then looks for listeners around every statement.
    """

    supports_statement_cache = True

    def connect(self, *args: Any, **options: Any) -> Any:
        _make_private(Path(str(args[0])))
        connection: Any = super().connect(*args, **options)
        connection.isolation_level = None  # the driver begins no transaction
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        _switch_to_wal(connection)
        return connection

    def do_begin(self, dbapi_connection: Any) -> None:
        dbapi_connection.driver_connection.execute("BEGIN DEFERRED")


registry.register("sqlite.hearts", __name__, "Dialect")


def sqlite_engine(url: str) -> Engine:
    address = make_url(url)
    engine = create_engine(address.set(drivername="sqlite+hearts"), hide_parameters=True)
    engine.url = address  # which names no dialect of ours
    return engine


def begin_writing(connection: Connection) -> None:
    """Begins the connection's transaction, in which nothing was done yet, anew as one that writes.

    One that reads first and writes later fails at once if another one wrote in between, whatever the busy timeout.
    """
    driver: Any = connection.connection.driver_connection
    driver.execute("ROLLBACK")
    driver.execute("BEGIN IMMEDIATE")


def time_of_sqlite() -> datetime:
    """The time in UTC by SQLite's clock, which is that of the system, in whichever file it works."""
    with closing(sqlite3.connect(":memory:")) as connection:
        (found,) = connection.execute("SELECT strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')").fetchone()
    return datetime.fromisoformat(found)


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


def _make_private(file: Path) -> None:
    """Creates the database file, unless there is one, so that only its owner may read it.

    SQLite would let everybody read a file that it creates. To its log and its index it gives the mode of the database.
    """
    if not (str(file).startswith((":memory:", "file:")) or file.exists()):
        with suppress(OSError):  # SQLite reports the problem itself
            make_file(file)


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    """Makes the file keep a write-ahead log, if it is new.

    SQLite waits for no other connection that is just writing to a new file, however long its busy timeout.
    """
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
