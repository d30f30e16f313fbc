"""The least that the machine needs for claims, transactions and mails: the same without us."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import psycopg
from sqlalchemy import make_url

from bench.load.filled import Filled
from webapp.core.smtp_connection import connect
from webapp.core.sqlite import PRAGMAS


def claim(filled: Filled, now: datetime) -> int:
    """The claim as one statement, by the driver."""
    until, rings = now + timedelta(seconds=5), "rings = rings + 1"
    due = "SELECT id FROM game WHERE state = 'playing' AND wake_at <= {0} ORDER BY wake_at LIMIT 1000"
    claim = f"UPDATE game SET wake_at = {{0}}, {rings} WHERE id IN ({due}) RETURNING id"
    if filled.runtime.settings.database.startswith("sqlite"):
        plain = [moment.astimezone(UTC).replace(tzinfo=None).isoformat(" ") for moment in (until, now)]
        with _sqlite(filled) as connection:
            return len(connection.execute(claim.format("?"), plain).fetchall())
    with psycopg.connect(_url(filled)) as connection:
        locking = claim.replace("LIMIT 1000", "LIMIT 1000 FOR UPDATE SKIP LOCKED").format("%s")
        return len(connection.execute(locking, (until, now)).fetchall())


def transactions(filled: Filled, count: int = 300) -> float:
    """Transactions a second that insert one small row, by the driver over one connection."""
    if filled.runtime.settings.database.startswith("sqlite"):
        with _sqlite(filled) as connection:
            return _committed(count, connection, "?")
    with psycopg.connect(_url(filled)) as connection:
        return _committed(count, connection, "%s")


def _committed(count: int, connection: sqlite3.Connection | psycopg.Connection, place: str) -> float:
    connection.execute("CREATE TABLE bare (number int)")
    connection.commit()
    begun = time.perf_counter()
    for number in range(count):
        connection.execute(f"INSERT INTO bare VALUES ({place})", (number,))
        connection.commit()
    took = time.perf_counter() - begun
    connection.execute("DROP TABLE bare")
    connection.commit()
    return count / took


@contextmanager
def _sqlite(filled: Filled) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(make_url(filled.runtime.settings.database).database or "")
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    yield connection
    connection.commit()
    connection.close()


def _url(filled: Filled) -> str:
    return make_url(filled.runtime.settings.database).set(drivername="postgresql").render_as_string(hide_password=False)


def mails(filled: Filled, content: bytes, count: int) -> float:
    """Mails a second over one connection, without us."""
    smtp = connect(filled.runtime.settings.relay or "", 10)
    begun = time.perf_counter()
    for _ in range(count):
        smtp.sendmail("hearts@example.org", ["ann@example.org"], content)
    took = time.perf_counter() - begun
    smtp.quit()
    return count / took
