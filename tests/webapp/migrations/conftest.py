"""Empty databases of either kind, and the newest schemas."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url

from tests.runtimes import make_runtime
from tests.servers import fresh_database
from tests.webapp.migrations.rows import schema
from webapp.core.database import Database

KINDS = ("sqlite", "postgresql")


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    kind: str = request.param
    return kind


@pytest.fixture
def empty(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database without a table."""
    if kind == "sqlite":
        yield from _opened(f"sqlite:///{tmp_path / 'hearts.db'}")
    else:
        with fresh_database(request.getfixturevalue("postgres")) as url:
            yield from _opened(url)


@pytest.fixture(scope="session")
def newest_schemas(tmp_path_factory: pytest.TempPathFactory, postgres: str, migrated: str) -> dict[str, Any]:
    """By kind, the schema of a database that was brought up to date while it was empty."""
    url = make_url(postgres).set(database=migrated).render_as_string(hide_password=False)
    made = {"sqlite": make_runtime(tmp_path_factory.mktemp("newest")).database, "postgresql": Database.at(url)}
    found = {kind: schema(made[kind].engine) for kind in KINDS}
    for database in made.values():
        database.engine.dispose()
    return found


def _opened(url: str) -> Iterator[Database]:
    database = Database.at(url)
    yield database
    database.engine.dispose()
