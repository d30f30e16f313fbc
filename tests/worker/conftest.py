"""A runtime that sends to the test's own mail server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.runtimes import make_runtime
from tests.servers import MailServer
from webapp.core.runtime import Runtime


@pytest.fixture(autouse=True)
def _brief_robots(brief_robots: None) -> None:
    """In all tests here."""


@pytest.fixture
def runtime(tmp_path: Path, smtp_server: MailServer) -> Iterator[Runtime]:
    made = make_runtime(tmp_path / "var", smtp_url=smtp_server.url, verdicts_by="mx.hearts.localhost")
    yield made
    made.database.engine.dispose()
