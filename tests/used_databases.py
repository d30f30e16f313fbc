"""A PostgreSQL database that a test has used is emptied for the next one, which takes a fifth of making another."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import psycopg
from sqlmodel import SQLModel

import webapp.models  # noqa: F401 - all tables
from tests.servers import LONG, fresh_database

END_OTHERS = """
SELECT pg_terminate_backend(pid, %s) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""
# Differs once a test has changed more than rows: tables, their columns, indexes or references, or settings.
SHAPE = """
SELECT (SELECT version_num FROM alembic_version), (SELECT count(*) FROM pg_attribute WHERE NOT attisdropped),
       (SELECT max(oid) FROM pg_class), (SELECT max(oid) FROM pg_constraint), (SELECT count(*) FROM pg_constraint),
       (SELECT count(*) FROM pg_db_role_setting)
"""
EMPTY = "; ".join(
    [
        *(f'DELETE FROM "{table.name}"' for table in reversed(SQLModel.metadata.sorted_tables)),
        "SELECT setval(seqrelid, seqstart, false) FROM pg_sequence",
    ]
)


class UsedDatabases:
    """Databases on `server` that begin as the one named `like`, which has no rows. They are dropped in the end."""

    def __init__(self, server: str, like: str, stack: ExitStack) -> None:
        self._new = lambda: stack.enter_context(fresh_database(server, like=like))
        self._empty: list[tuple[str, Any]] = []  # addresses, and what SHAPE says of them

    @contextmanager
    def one(self) -> Iterator[str]:
        """The address of a database without rows, for one test."""
        url, shape = self._empty.pop() if self._empty else (self._new(), None)
        shape = shape or _shape_once_emptied(url)
        yield url
        if _shape_once_emptied(url) == shape:
            self._empty.append((url, shape))


def _shape_once_emptied(url: str) -> Any:
    """Ends all connections, deletes all rows, and lets numbers begin at 1 again. None if a table is missing."""
    with psycopg.connect(url) as connection:
        connection.execute(END_OTHERS, [int(LONG * 1000)])
        try:
            connection.execute(EMPTY)
        except psycopg.errors.UndefinedTable:
            return None
        return connection.execute(SHAPE).fetchone()
