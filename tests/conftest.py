"""Fixtures for all tests: real servers, and a browser."""

import gc
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import gettempdir
from typing import Any
from zlib import crc32

import pytest
from flask.testing import FlaskClient
from hypothesis import settings
from playwright.sync_api import Browser, BrowserType, expect, sync_playwright
from redis import Redis
from sqlalchemy import make_url
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder, TestResponse
from werkzeug.wrappers import Request as BaseRequest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from hearts.robot import Level, choice
from tests.browser import find_browser, started
from tests.compiled import share_compiled
from tests.processes import Guarded
from tests.remembered import memory
from tests.servers import LONG, MailServer, fresh_database, postgres_server, valkey_server
from tests.used_databases import UsedDatabases
from webapp import migrations
from webapp.site import Webapp

# The same examples in each run, so that a failure is due to a change; for new ones: --hypothesis-profile=default. No
# deadline: on a busy machine the first example of a test may take as long as anything.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
expect.set_options(timeout=LONG * 1000)


TOGETHER = {  # of the tests in end_to_end
    "SQLite": {"test_by_answers", "test_by_mail", "test_leases"},
    "PostgreSQL": {"test_backup", "test_frozen", "test_killed", "test_presets", "test_side_by_side"},
}
# The files that take longest begin first, so that they do not end alone.
LONG_FIRST = (
    *(f"end_to_end/test_{name}" for name in ("by_answers", "frozen", "backup", "journey", "make_run", "leases")),
    "chaos/test_chaos",
    "pages/test_accessible",
    "core/test_serving",
)
GUARDED = pytest.StashKey[Guarded]()


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # until all tests are collected: hardly anything of that is garbage
    if not hasattr(config, "workerinput"):  # workers of pytest-xdist belong to the same run
        config.stash[GUARDED] = Guarded()


def pytest_unconfigure(config: pytest.Config) -> None:
    if guarded := config.stash.get(GUARDED, None):
        guarded.end()


class ByService(LoadFileScheduling):  # type: ignore[misc]
    """The tests of a file run in one process, and so do those of files that share a service."""

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        folder, name = Path(file).parent.name, Path(file).stem
        shared = TOGETHER.items() if folder == "end_to_end" else ()
        return next((service for service, names in shared if name in names), file)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Processes that share the tests do not all wait at once: files that wait lie among those that compute."""
    if hasattr(config, "workerinput"):
        items.sort(key=_place_of)


def _place_of(item: pytest.Item) -> tuple[int, int]:
    file = item.path.with_suffix("").as_posix()
    first = (at for at, name in enumerate(LONG_FIRST) if file.endswith(f"/{name}"))
    return next(first, len(LONG_FIRST)), crc32(item.location[0].encode())


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByService:
    return ByService(config, log)


def pytest_collection_finish() -> None:
    """Spares the garbage collector what all tests share, the modules and thousands of cases, and most of its rounds."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _folder_of_remembered() -> None:
    """In the folder of the run, which all its processes share."""
    memory.folder = Path(gettempdir()) / "remembered"
    memory.folder.mkdir(exist_ok=True)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    memory.is_on = not {"monkeypatch", "nothing_remembered"} & set(getattr(item, "fixturenames", ()))


@pytest.fixture
def nothing_remembered() -> None:
    """For a test that looks at more than rows, such as rings: what it begins with really happens."""


class FormsOfOurs(FlaskClient):
    """A browser that sends, as all do, that its forms come from a page of the same site."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        if not (args and isinstance(args[0], EnvironBuilder | BaseRequest | dict)):
            headers = Headers(kwargs.get("headers"))
            headers.setdefault("Sec-Fetch-Site", "same-origin")
            kwargs["headers"] = headers
        return super().open(*args, **kwargs)


Webapp.test_client_class = FormsOfOurs
share_compiled()


@pytest.fixture
def brief_robots() -> Iterator[None]:
    """Robots of level strong think for a tenth of their time, for tests about anything but what they choose."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(choice.PLAYOUTS, Level.STRONG, 400)
        yield


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A PostgreSQL server, for `fresh_database`."""
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="session")
def migrated(postgres: str) -> Iterator[str]:
    """The name of a PostgreSQL database brought up to date; tests get copies, because making it is slow."""
    with fresh_database(postgres) as url:
        migrations.upgrade(url)
        yield str(make_url(url).database)


@pytest.fixture(scope="session")
def _used_databases(postgres: str, migrated: str) -> Iterator[UsedDatabases]:
    with ExitStack() as stack:
        yield UsedDatabases(postgres, migrated, stack)


@pytest.fixture
def postgres_url(_used_databases: UsedDatabases) -> Iterator[str]:
    """The address of a PostgreSQL database of the test's own, brought up to date and without rows."""
    with _used_databases.one() as url:
        yield url


@pytest.fixture(scope="session")
def valkey() -> Iterator[str]:
    with valkey_server() as url:
        yield url


@pytest.fixture
def valkey_url(valkey: str) -> str:
    """The address of an empty broker, for Celery."""
    if valkey.startswith("redis"):
        with Redis.from_url(valkey) as redis:
            redis.flushdb()
    return valkey


@pytest.fixture
def smtp_server() -> Iterator[MailServer]:
    server = MailServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium that starts; downloaded if there is none."""
    return find_browser()


@pytest.fixture(scope="session")
def whole_chromium() -> str:
    """The same, but with a window, as a reader has it: for notifications. It costs twice as much."""
    return find_browser(whole=True)


@pytest.fixture(scope="session")
def browsers() -> Iterator[BrowserType]:
    """Starts browsers. Its event loop runs in this thread from now on, so tests run theirs in another."""
    with sync_playwright() as playwright:
        yield playwright.chromium


@pytest.fixture(scope="session")
def _started(chromium: str, browsers: BrowserType) -> Iterator[Browser]:
    """Started once a process, because that takes longer than most tests with a browser."""
    with started(browsers, chromium) as browser:
        yield browser


@pytest.fixture(scope="module")
def browser(_started: Browser) -> Iterator[Browser]:
    """A browser whose pages are still, unless a test asks for motion: what glows is drawn anew sixty times a second."""
    yield _started
    for context in _started.contexts:
        context.close()
