"""The whole service, once as a newcomer runs it and once as in production."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.end_to_end.service import Service, running_service
from tests.servers import MailServer, fresh_database

SHORT_PACE = 1  # seconds; the form offers it beside its usual times


@pytest.fixture(scope="module")
def mail_server() -> Iterator[MailServer]:
    server = MailServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module", params=["SQLite and files", "PostgreSQL and Valkey"])
def service(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, mail_server: MailServer
) -> Iterator[Service]:
    settings = {"SMTP_URL": mail_server.url, "SHORTEST_PACE_SECONDS": str(SHORT_PACE)}
    with ExitStack() as stack:
        if request.param != "SQLite and files":
            settings["DATABASE_URL"] = stack.enter_context(fresh_database(request.getfixturevalue("postgres")))
            settings["BROKER_URL"] = request.getfixturevalue("valkey")
        yield stack.enter_context(running_service(tmp_path_factory.mktemp("service"), **settings))
