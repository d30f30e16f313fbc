"""The whole service, once as a newcomer runs it and once as in production.

Each is started once for all of its tests, because a start takes longer than most of them. The tests of one
run in one process (`TOGETHER` in the conftest above), and begin when those before them have left it at rest.
"""

from collections.abc import Iterator

import pytest

from tests.end_to_end.service import Service, running_service
from tests.servers import MailServer, fresh_database

SHORT_PACE = 1  # seconds; the form offers it beside its usual times
REPLY_DOMAIN = "in.hearts.example.org"


@pytest.fixture(scope="package")
def mail_server() -> Iterator[MailServer]:
    """Gets the mails of both."""
    server = MailServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="package")
def _on_sqlite(tmp_path_factory: pytest.TempPathFactory, mail_server: MailServer) -> Iterator[Service]:
    settings = {"SMTP_URL": mail_server.url, "SHORTEST_PACE_SECONDS": str(SHORT_PACE), "REPLY_DOMAIN": REPLY_DOMAIN}
    with running_service(tmp_path_factory.mktemp("service"), **settings) as running:
        yield running


@pytest.fixture(scope="package")
def _on_postgres(
    tmp_path_factory: pytest.TempPathFactory, mail_server: MailServer, postgres: str, valkey: str
) -> Iterator[Service]:
    with fresh_database(postgres) as url:
        settings = {"SMTP_URL": mail_server.url, "SECRET_KEYS": "", "DATABASE_URL": url, "BROKER_URL": valkey}
        settings["SHORTEST_PACE_SECONDS"] = str(SHORT_PACE)
        with running_service(tmp_path_factory.mktemp("service"), **settings) as running:
            yield running


@pytest.fixture
def sqlite_service(_on_sqlite: Service, mail_server: MailServer) -> Service:
    """With SQLite and files, and addresses for replies."""
    return left_at_rest(_on_sqlite, mail_server)


@pytest.fixture
def postgres_service(_on_postgres: Service, mail_server: MailServer) -> Service:
    """With PostgreSQL and Valkey, and a key of its own."""
    return left_at_rest(_on_postgres, mail_server)


def left_at_rest(service: Service, mail_server: MailServer) -> Service:
    """The service, once the tables of earlier tests send no more mails, however those tests ended."""
    mail_server.is_silent = False
    service.rows_at_rest()
    return service
