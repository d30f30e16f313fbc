"""A runtime on each of the two databases, its commands, a browser without scripts, and an address for a real one."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result
from flask.testing import FlaskClient

from tests.cast import start_game
from tests.runtimes import make_runtime
from tests.servers import site_server
from tests.sites import site_of
from tests.table import Table
from webapp.core.runtime import Runtime
from webapp.robots import thinking


@pytest.fixture(autouse=True)
def _brief_robots(brief_robots: None) -> None:
    """In all tests here."""


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Runtime]:
    made = make_runtime(tmp_path / "var")
    yield made
    made.database.engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def either_runtime(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Runtime]:
    """The same on SQLite and on PostgreSQL, for what locks and races."""
    url = request.getfixturevalue("postgres_url") if request.param == "postgresql" else ""
    made = make_runtime(tmp_path / "var", url)
    yield made
    made.database.engine.dispose()


@pytest.fixture
def table(runtime: Runtime) -> Table:
    """A game of the whole cast, of which nobody has passed yet."""
    return start_game(runtime)


@pytest.fixture
def same_seed() -> Iterator[None]:
    """The robot looks at the same decision in the same way in every run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(thinking.secrets, "randbits", lambda _: 7)
        yield


@pytest.fixture
def client(runtime: Runtime) -> FlaskClient:
    return site_of(runtime).test_client()


@pytest.fixture
def address(runtime: Runtime) -> Iterator[str]:
    """The address at which the runtime's site is served."""
    with site_server(runtime) as at:
        yield at


@pytest.fixture
def run(runtime: Runtime) -> Callable[..., Result]:
    """Runs a command as an operator types it; the result has `exit_code`, `stdout` and `stderr`."""
    runner = site_of(runtime).test_cli_runner()
    return lambda *words, **more: runner.invoke(args=[str(word) for word in words], **more)
