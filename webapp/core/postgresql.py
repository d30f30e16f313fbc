"""PostgreSQL as the service needs it: statements that stay prepared, and go to the server together; connections that
are tested when they may be broken; limits for locks.
"""

import select
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Self

from psycopg import Column, Connection, Cursor, OperationalError
from psycopg.errors import error_from_result
from psycopg.pq import ConnStatus, ExecStatus, TransactionStatus
from sqlalchemy import Connection as Opened
from sqlalchemy import Engine, create_engine, make_url
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

# Unless DATABASE_URL says otherwise. Where a network takes packets and brings nothing back, the system would wait for a
# quarter of an hour, and for two if a process only listens.
WAITS = {
    "connect_timeout": 5,  # seconds
    "tcp_user_timeout": 10_000,  # milliseconds for which nobody confirms what was sent
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
# The server would keep the locks of a lost machine for hours. It ends a transaction that has been idle for so long, and
# cancels a statement that has waited so long for a lock.
IDLE_SECONDS, LOCK_SECONDS = 60.0, 15.0
BEGIN_READING = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
UNSEEN_SECONDS = 1.0  # after which a connection is tested: what lies between may have dropped it without a sign


class Dialect(PGDialect_psycopg):
    """SQLAlchemy's, whose connections keep what they have prepared, and are not asked each time whether they work.

    It begins and ends transactions itself: to have the driver change how it does so, and back, takes that longer than
    the query of a page.
    """

    supports_statement_cache = True

    def connect(self, *args: Any, **options: Any) -> Any:
        connection: Any = super().connect(*args, **options)
        connection.only_reads, connection.put = False, []
        _command(connection, _limits("SESSION", IDLE_SECONDS, LOCK_SECONDS))
        return connection

    def do_execute_with_next(self, cursor: Any, text: str, parameters: Any) -> None:
        """Carries out a statement together with the next one of its transaction, or with the commit: the server gets
        both at once. If the statement fails, the next one raises that error.
        """
        cursor.connection.put.append(lambda: cursor.execute(text, parameters))

    def do_commit(self, dbapi_connection: Any) -> None:
        driver = dbapi_connection.driver_connection
        with _all_put_before(driver):
            driver.commit()

    def do_begin(self, dbapi_connection: Any) -> None:
        driver = dbapi_connection.driver_connection
        _command(driver, BEGIN_READING if driver.only_reads else b"BEGIN")

    def do_rollback(self, dbapi_connection: Any) -> None:
        """Ends a transaction. One that may only read is committed: when the driver rolls back, it forgets all that it
        has prepared, and the server has to plan the next page's query anew, which takes it longer than to answer it.
        """
        driver = dbapi_connection.driver_connection
        driver.put.clear()
        is_open = driver.pgconn.transaction_status == TransactionStatus.INTRANS
        only_reads, driver.only_reads = driver.only_reads, False
        if is_open and only_reads:
            _command(driver, b"COMMIT")
        else:
            driver.rollback()

    def do_ping(self, dbapi_connection: Any) -> bool:
        """Whether a connection that was used before still works. If not, it may raise an error of the driver.

        A server that ends closes its connections, which shows without asking it.
        """
        now = time.monotonic()
        seen, dbapi_connection.seen = getattr(dbapi_connection, "seen", 0.0), now
        if now - seen < UNSEEN_SECONDS and not _is_readable(dbapi_connection.fileno()):
            return True
        return bool(super().do_ping(dbapi_connection))  # type: ignore[no-untyped-call]


def begin_reading(connection: Opened) -> None:
    """Begins a transaction that sees what is there now, and may not write. It ends when the connection is closed."""
    driver: Any = connection.connection.driver_connection
    driver.only_reads = True
    connection.begin()


def lift_limits(connection: Opened) -> None:
    """Lifts both limits until the connection's present transaction ends."""
    driver: Any = connection.connection.driver_connection
    _command(driver, _limits("LOCAL", 0, 0))


def _limits(scope: str, idle: float, lock: float) -> bytes:
    """The commands that set both limits, in seconds; 0 for none."""
    limits = {"idle_in_transaction_session_timeout": idle, "lock_timeout": lock}
    return "; ".join(f"SET {scope} {name} = {1000 * seconds:.0f}" for name, seconds in limits.items()).encode()


registry.register("postgresql.hearts", __name__, "Dialect")


def postgresql_engine(url: str) -> Engine:
    """An engine that tests pooled connections before it uses them, because a restart of the server breaks them.

    It uses the same few again and again, as each of them has its own prepared statements.
    """
    address = make_url(url)
    waits = {name: wait for name, wait in WAITS.items() if name not in address.query}
    engine = create_engine(
        address.set(drivername="postgresql+hearts"),
        hide_parameters=True,
        pool_pre_ping=True,
        pool_use_lifo=True,
        connect_args={"cursor_factory": _Cursor, **waits},
    )
    engine.url = address  # which names no dialect of ours
    return engine


def _command(driver: Connection[Any], command: bytes) -> None:
    """Has the server carry out a command. Raises an error of the driver."""
    done = driver.pgconn.exec_(command)
    if driver.pgconn.status == ConnStatus.BAD:
        raise OperationalError("the connection is lost")
    if done.status != ExecStatus.COMMAND_OK:
        raise error_from_result(done)


@contextmanager
def _all_put_before(driver: Any) -> Iterator[None]:
    """Has the server carry out what was put, and then what the block does, without waiting in between."""
    put, driver.put = driver.put, []
    if not put:
        yield
        return
    with driver.pipeline():
        for carry_out in put:
            carry_out()
        yield


class _Cursor(Cursor[Any]):
    """The driver's, but it sends what was put along with its statement, and describes the columns of its result only
    when they are read. SQLAlchemy asks for the description each time, and reads it once for each statement.
    """

    def execute(self, *statement: Any, **options: Any) -> Self:
        with _all_put_before(self.connection):
            return super().execute(*statement, **options)

    def executemany(self, *statement: Any, **options: Any) -> None:
        with _all_put_before(self.connection):
            super().executemany(*statement, **options)

    @property
    def description(self) -> Any:
        result = self.pgresult
        return _Columns(lambda: super(_Cursor, self).description) if result and result.nfields else super().description


class _Columns(Sequence[Column]):
    def __init__(self, described: Callable[[], Any]) -> None:
        self._described = described

    @cached_property
    def _columns(self) -> list[Column]:
        columns: list[Column] = self._described()
        return columns

    def __getitem__(self, place: Any) -> Any:
        return self._columns[place]

    def __len__(self) -> int:
        return len(self._columns)


def _is_readable(file: int) -> bool:
    """Whether the other side of a socket has sent something, or closed it."""
    poll = select.poll()
    poll.register(file, select.POLLIN)
    return bool(poll.poll(0))
