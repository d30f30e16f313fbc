"""Fixtures for all tests: real servers, and a browser."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from flask import Response
from flask.testing import FlaskClient
from hypothesis import settings
from playwright.sync_api import Browser, BrowserType, expect, sync_playwright
from redis import Redis
from sqlalchemy import make_url
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder, TestResponse
from werkzeug.wrappers import Request as BaseRequest

from hearts.robot import Level, choice
from tests.browser import find_browser, started
from tests.processes import Guarded
from tests.servers import LONG, MailServer, fresh_database, postgres_server, valkey_server
from tests.used_databases import UsedDatabases
from webapp import migrations
from webapp.site import Webapp

# The same examples in each run, so that a failure is due to a change; for new ones: --hypothesis-profile=default. No
# deadline: on a busy machine the first example of a test may take as long as anything.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
expect.set_options(timeout=LONG * 1000)


GUARDED = pytest.StashKey[Guarded]()


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # workers of pytest-xdist belong to the same run
        config.stash[GUARDED] = Guarded()


def pytest_unconfigure(config: pytest.Config) -> None:
    if guarded := config.stash.get(GUARDED, None):
        guarded.end()


class Answer(TestResponse, Response):
    """A response to a GET is read only if it is no error, or once the test has asked for its status.

    On an error page nothing is found that a test says is absent.
    """

    _is_asked = False

    @property
    def status_code(self) -> int:
        self._is_asked = True
        return super().status_code

    @status_code.setter
    def status_code(self, code: int) -> None:
        Response.status_code.fset(self, code)

    def get_data(self, as_text: bool = False) -> Any:
        status = super().status_code
        is_known = self._is_asked or status < 400 or self.request.method != "GET"
        assert is_known, f"{self.request.path} answers {status}, and the test does not ask for that"
        return super().get_data(as_text)


class FormsOfOurs(FlaskClient):
    """A browser that sends, as all do, that its forms come from a page of the same site."""

    def __init__(self, application: Webapp, _: object, **kwargs: Any) -> None:
        super().__init__(application, Answer, **kwargs)

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        if not (args and isinstance(args[0], EnvironBuilder | BaseRequest | dict)):
            headers = Headers(kwargs.get("headers"))
            headers.setdefault("Sec-Fetch-Site", "same-origin")
            kwargs["headers"] = headers
        return super().open(*args, **kwargs)


Webapp.test_client_class = FormsOfOurs


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
    """A browser whose pages are still, unless a test asks for motion: what glows is drawn sixty times a second."""
    yield _started
    for context in _started.contexts:
        context.close()
