"""The two set-ups: SQLite with a broker of files, and PostgreSQL with Valkey."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.chaos.disk import Disk
from tests.chaos.relay import MoodyRelay
from tests.end_to_end.service import Service, running_service
from tests.servers import Postgres, Valkey, fresh_database, own_postgres
from tests.worker.push_service import PushService

SQLITE, POSTGRESQL = "sqlite", "postgresql"
NAMES = (SQLITE, POSTGRESQL)
REPLY_DOMAIN = "in.hearts.example.org"
# A killed server loses nothing that it has handed to the system, which goes on; only a dead machine would.
SAFE_ENOUGH = ("fsync = off",)


@dataclass(frozen=True)
class SetUp:
    """A running service with what it stands on; None where that cannot be killed, or the disk cannot be full."""

    name: str
    service: Service
    relay: MoodyRelay
    push: PushService
    disk: Disk | None
    valkey: Valkey | None = None
    postgres: Postgres | None = None


@contextmanager
def on_sqlite(folder: Path, relay: MoodyRelay, push: PushService, disk: Disk | None) -> Iterator[SetUp]:
    data = (disk.folder if disk else folder) / "var"
    with running_service(folder, DATA_DIR=str(data), **_settings(relay, push)) as service:
        yield SetUp(SQLITE, service, relay, push, disk)


@contextmanager
def on_postgresql(folder: Path, relay: MoodyRelay, push: PushService, disk: Disk | None) -> Iterator[SetUp]:
    valkey = Valkey()
    try:
        with own_postgres(SAFE_ENOUGH, disk.folder if disk else None) as server, fresh_database(server.url) as url:
            settings = {"DATABASE_URL": url, "BROKER_URL": valkey.url, **_settings(relay, push)}
            with running_service(folder, **settings) as service:
                yield SetUp(POSTGRESQL, service, relay, push, disk, valkey, server)
    finally:
        valkey.end()


def _settings(relay: MoodyRelay, push: PushService) -> dict[str, str]:
    return {"SMTP_URL": relay.url, "REPLY_DOMAIN": REPLY_DOMAIN, "PUSH_HOSTS": push.origin}


SET_UPS = {SQLITE: on_sqlite, POSTGRESQL: on_postgresql}
