"""Empty databases of either kind, and the newest schemas."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.servers import fresh_database
from tests.webapp.migrations.rows import schema
from webapp import migrations
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
def newest_schemas(tmp_path_factory: pytest.TempPathFactory, postgres: str) -> dict[str, dict[str, Any]]:
    """By kind, the schema of a database that was brought up to date while it was empty."""
    with fresh_database(postgres) as url:
        urls = {"sqlite": f"sqlite:///{tmp_path_factory.mktemp('newest') / 'hearts.db'}", "postgresql": url}
        return {kind: _newest_schema(urls[kind]) for kind in KINDS}


def _newest_schema(url: str) -> dict[str, Any]:
    migrations.upgrade(url)
    database = Database(url)
    found = schema(database.engine)
    database.engine.dispose()
    return found


def _opened(url: str) -> Iterator[Database]:
    database = Database(url)
    yield database
    database.engine.dispose()
