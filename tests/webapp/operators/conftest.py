"""Runtimes that send, checks that do not wait for long, and the commands as an operator types them."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import Result

from tests.cast import open_table
from tests.keys import new_ed25519_key, new_key
from tests.runtimes import make_runtime
from tests.servers import POSTGRES_PROGRAMS, fresh_database
from tests.sites import site_of
from tests.webapp.operators.domains import DOMAIN, REPLIES
from tests.worker.scripted import with_relay
from webapp.core.runtime import Runtime
from webapp.operators import mail_servers


@pytest.fixture
def haste(monkeypatch):
    monkeypatch.setattr(mail_servers, "PATIENCE", 0.2)


@pytest.fixture(scope="session")
def keys(tmp_path_factory):
    """The files of an RSA key of the usual length and of an Ed25519 key, and the records of their public halves."""
    files = [tmp_path_factory.mktemp("dkim") / name for name in ("rsa.pem", "ed25519.pem")]
    return files, [new_key(files[0], 2048), new_ed25519_key(files[1])]


@pytest.fixture
def sending_runtime(runtime, keys):
    """A runtime that sends, signs and takes replies."""
    return with_relay(
        runtime,
        "smtp://relay.example.net:587",
        mail_from=f"Hearts <play@{DOMAIN}>",
        reply_domain=REPLIES,
        dkim_key=",".join(map(str, keys[0])),
        dkim_selector="hearts,fast",
    )


Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def _programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{POSTGRES_PROGRAMS}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture
def operate() -> Run:
    """Runs a command of a service; the result has `exit_code`, `stdout` and `stderr`."""
    return lambda runtime, *words: site_of(runtime).test_cli_runner().invoke(args=list(map(str, words)))


@pytest.fixture
def backed_up(operate: Run, tmp_path: Path) -> Callable[[Runtime], Path]:
    """Backs a service up. Returns the folder."""

    def back_up(runtime: Runtime, name: str = "backup") -> Path:
        done = operate(runtime, "backup", tmp_path / name)
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
