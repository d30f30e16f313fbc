"""A test that gets a database after another finds nothing of it."""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime

import psycopg
import pytest
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool
from sqlmodel import Session, SQLModel

from tests.used_databases import UsedDatabases
from webapp.models import PlayerRow

CHANGES = [
    "DROP TABLE talk",
    "ALTER TABLE talk DROP COLUMN text",
    "ALTER TABLE player ADD COLUMN rating integer",
    "DROP INDEX ix_seat_player_id",
    "CREATE TABLE card (face integer)",
    "UPDATE alembic_version SET version_num = 'another'",
    "ALTER TABLE player ADD CONSTRAINT named CHECK (name <> '')",
]


@pytest.fixture
def databases(postgres: str, migrated: str) -> Iterator[UsedDatabases]:
    with ExitStack() as stack:
        yield UsedDatabases(postgres, migrated, stack)


def with_a_player(url: str) -> int:
    """Leaves a row, whose number this is."""
    engine = create_engine(url, poolclass=NullPool)
    with Session(engine) as session:
        player = PlayerRow(address="ann@example.org", name="Ann", created_at=datetime.now(UTC))
        session.add(player)
        session.commit()
        return player.id


def test_the_next_test_gets_the_same_database_empty_and_renumbered(databases):
    got = []
    for _ in range(2):
        with databases.one() as url:
            with psycopg.connect(url) as connection:
                tables = [table.name for table in SQLModel.metadata.sorted_tables]
                rows = {name: connection.execute(f'SELECT * FROM "{name}"').fetchall() for name in tables}
            assert not any(rows.values())
            got.append((url, with_a_player(url)))
            left_open = psycopg.connect(url)
            left_open.execute("SELECT * FROM player FOR UPDATE")
        with pytest.raises(psycopg.OperationalError):
            left_open.execute("SELECT 1")
        left_open.close()
    assert got[0] == got[1]


@pytest.mark.parametrize("change", CHANGES)
def test_a_database_with_changed_tables_is_not_used_again(databases, change):
    with databases.one() as first, psycopg.connect(first, autocommit=True) as connection:
        connection.execute(change)
    with databases.one() as second:
        assert second != first
