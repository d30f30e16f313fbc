"""The commands `backup` and `restore` as an operator types them, with PostgreSQL's own programs on the PATH."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import Result

from tests.cast import open_table
from tests.runtimes import make_runtime
from tests.servers import POSTGRES_PROGRAMS, fresh_database
from tests.sites import site_of
from webapp.core.runtime import Runtime

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def _programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{POSTGRES_PROGRAMS}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture
def run() -> Run:
    """Runs a command of a service; the result has `exit_code`, `stdout` and `stderr`."""
    return lambda runtime, *words: site_of(runtime).test_cli_runner().invoke(args=list(map(str, words)))


@pytest.fixture
def backed_up(run: Run, tmp_path: Path) -> Callable[[Runtime], Path]:
    """Backs a service up. Returns the folder."""

    def back_up(runtime: Runtime, name: str = "backup") -> Path:
        done = run(runtime, "backup", tmp_path / name)
        assert done.exit_code == 0, done.output
        return tmp_path / name

    return back_up


@pytest.fixture
def elsewhere(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., Runtime]]:
    """Makes another service, with its own data directory and an empty database of the same kind; it is later."""
    made: list[Runtime] = []
    with ExitStack() as stack:

        def make(like: Runtime, **settings: object) -> Runtime:
            url = f"sqlite:///{tmp_path / f'elsewhere-{len(made)}' / 'hearts.db'}"
            if like.database.engine.dialect.name == "postgresql":
                url = stack.enter_context(fresh_database(request.getfixturevalue("postgres")))
            settings = {"database_url": url, **settings}
            made.append(make_runtime(tmp_path / f"elsewhere-{len(made)}", **settings))
            made[-1].now.at = like.now()
            return made[-1]

        yield make
        for runtime in made:
            runtime.database.engine.dispose()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Returns the path of a folder for a backup, which is not there yet."""
    return tmp_path / "backup"


@pytest.fixture
def made(runtime: Runtime, backed_up: Callable[[Runtime], Path]) -> Path:
    """A backup of a service with one table."""
    open_table(runtime)
    return backed_up(runtime)
