"""Parts on each of the two databases, a browser without scripts, and where a real one finds the site."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.cast import make_parts
from tests.servers import site_server
from webapp.core.runtime import Parts
from webapp.site import make_site


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Parts]:
    made = make_parts(tmp_path / "var")
    yield made
    made.database.engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def either_parts(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Parts]:
    """The same on SQLite and on PostgreSQL, for what locks and races."""
    url = request.getfixturevalue("postgres_url") if request.param == "postgresql" else ""
    made = make_parts(tmp_path / "var", url)
    yield made
    made.database.engine.dispose()


@pytest.fixture
def client(parts: Parts) -> FlaskClient:
    return make_site(parts).test_client()


@pytest.fixture
def address(parts: Parts) -> Iterator[str]:
    """Where the site of `parts` is served."""
    with site_server(parts) as at:
        yield at
