"""Fixtures for all tests: real servers, and a browser. Each imports what it starts: tests of the rules need neither."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.processes import Guarded

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserType

    from tests.servers import MailServer
    from tests.used_databases import UsedDatabases

# The same examples in each run, so that a failure is due to a change; for new ones: --hypothesis-profile=default. No
# deadline: on a busy machine the first example of a test may take as long as anything.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


GUARDED = pytest.StashKey[Guarded]()


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # workers of pytest-xdist belong to the same run
        config.stash[GUARDED] = Guarded()


def pytest_unconfigure(config: pytest.Config) -> None:
    if guarded := config.stash.get(GUARDED, None):
        guarded.end()


@pytest.fixture
def brief_robots() -> Iterator[None]:
    """Robots think for a hundredth of a second, for tests about anything but what they choose."""
    from webapp.robots import thinking

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(thinking, "MAX_SECONDS", 0.01)
        yield


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A PostgreSQL server, for `fresh_database`."""
    from tests.servers import postgres_server

    with postgres_server() as server:
        yield server


@pytest.fixture(scope="session")
def migrated(postgres: str) -> Iterator[str]:
    """The name of a PostgreSQL database brought up to date; tests get copies, because making it is slow."""
    from sqlalchemy import make_url

    from tests.servers import fresh_database
    from webapp import migrations

    with fresh_database(postgres) as url:
        migrations.upgrade(url)
        yield str(make_url(url).database)


@pytest.fixture(scope="session")
def _used_databases(postgres: str, migrated: str) -> Iterator[UsedDatabases]:
    from tests.used_databases import UsedDatabases

    with ExitStack() as stack:
        yield UsedDatabases(postgres, migrated, stack)


@pytest.fixture
def postgres_url(_used_databases: UsedDatabases) -> Iterator[str]:
    """The address of a PostgreSQL database of the test's own, brought up to date and without rows."""
    with _used_databases.one() as url:
        yield url


@pytest.fixture(scope="session")
def valkey() -> Iterator[str]:
    from tests.servers import valkey_server

    with valkey_server() as url:
        yield url


@pytest.fixture
def valkey_url(valkey: str) -> str:
    """The address of an empty broker, for Celery."""
    from redis import Redis

    if valkey.startswith("redis"):
        with Redis.from_url(valkey) as redis:
            redis.flushdb()
    return valkey


@pytest.fixture
def smtp_server() -> Iterator[MailServer]:
    from tests.servers import MailServer

    server = MailServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium that starts; downloaded if there is none."""
    from tests.browser import find_browser

    return find_browser()


@pytest.fixture(scope="session")
def whole_chromium() -> str:
    """The same, but with a window, as a reader has it: for notifications. It costs twice as much."""
    from tests.browser import find_browser

    return find_browser(whole=True)


@pytest.fixture(scope="session")
def browsers() -> Iterator[BrowserType]:
    """Starts browsers. Its event loop runs in this thread from now on, so tests run theirs in another."""
    from playwright.sync_api import expect, sync_playwright

    from tests.servers import LONG

    expect.set_options(timeout=LONG * 1000)

    with sync_playwright() as playwright:
        yield playwright.chromium


@pytest.fixture(scope="session")
def _started(chromium: str, browsers: BrowserType) -> Iterator[Browser]:
    """Started once a process, because that takes longer than most tests with a browser."""
    from tests.browser import started

    with started(browsers, chromium) as browser:
        yield browser


@pytest.fixture(scope="module")
def browser(_started: Browser) -> Iterator[Browser]:
    """A browser whose pages are still, unless a test asks for motion: what glows is drawn sixty times a second."""
    yield _started
    for context in _started.contexts:
        context.close()
