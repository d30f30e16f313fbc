"""SQLite as the service needs it: a private file with a write-ahead log, transactions that begin when they should, and
the right to write, which is granted in order of request.
"""

import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Dialect, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError

from webapp.core.data_folder import make_file

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
    _make_private(Path(str(arguments[0])))


def _connected(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # else the driver begins transactions itself, and too late
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    _switch_to_wal(connection)


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
