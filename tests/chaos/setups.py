"""The two set-ups: SQLite with a broker of files, and PostgreSQL with Valkey."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

from tests.chaos.clocks import Clock
from tests.chaos.disk import Disk
from tests.chaos.mailbox import ADDRESS, PASSWORD, MoodyMailbox
from tests.chaos.posting import Post, by_listener
from tests.chaos.relay import MoodyRelay
from tests.end_to_end.service import Service, running_service
from tests.servers import Postgres, Valkey, fresh_database, own_postgres
from tests.worker.push_service import PushService

SQLITE, POSTGRESQL = "sqlite", "postgresql"
NAMES = (SQLITE, POSTGRESQL)
REPLY_DOMAIN = "in.hearts.example.org"
# A killed server loses nothing that it has handed to the system, which goes on; only a dead machine would.
SAFE_ENOUGH = ("fsync = off",)


class Scene(StrEnum):
    """A thing of a whole run."""

    MAILBOX = "mailbox"  # answers are fetched from one; else the service's listener takes them
    NO_PAGES = "no-pages"  # everybody plays by answers alone
    RESTORE = "restore"  # a backup is restored in the middle
    CLOCK = "clock"  # a worker is on a machine whose clock jumps


@dataclass(frozen=True)
class Around:
    """The parts around a service: what takes its mails, what it notifies, and perhaps a mailbox, a small disk, and the
    clock of a worker's machine.
    """

    relay: MoodyRelay
    push: PushService
    mailbox: MoodyMailbox | None = None
    disk: Disk | None = None
    clock: Clock | None = None


@dataclass(frozen=True)
class SetUp:
    """A running service with what it stands on; None where that cannot be killed."""

    name: str
    service: Service
    around: Around
    scenes: Collection[Scene]
    valkey: Valkey | None = None
    postgres: Postgres | None = None

    @property
    def post(self) -> Post:
        """How a mail of a player comes to the service."""
        if self.around.mailbox:
            return self.around.mailbox.take
        inbox = urlsplit(self.service.environment["INBOX_URL"])
        return by_listener(inbox.hostname or "", inbox.port or 0)

    @property
    def addresses(self) -> tuple[str, ...]:
        """Addresses of the service to which anybody may write, but which nobody has got from it."""
        own = [ADDRESS.replace("+", ""), ADDRESS.replace("+", "+nobody")] if self.around.mailbox else []
        return (*own, f"nobody@{REPLY_DOMAIN}", f"postmaster@{REPLY_DOMAIN}")


@contextmanager
def on_sqlite(folder: Path, around: Around, scenes: Collection[Scene]) -> Iterator[SetUp]:
    data = (around.disk.folder if around.disk else folder) / "var"
    with running_service(folder, DATA_DIR=str(data), **_settings(around, scenes)) as service:
        yield SetUp(SQLITE, service, around, scenes)


@contextmanager
def on_postgresql(folder: Path, around: Around, scenes: Collection[Scene]) -> Iterator[SetUp]:
    valkey = Valkey()
    disk = around.disk.folder if around.disk else None
    try:
        with own_postgres(SAFE_ENOUGH, disk) as server, fresh_database(server.url) as url:
            settings = {"DATABASE_URL": url, "BROKER_URL": valkey.url, **_settings(around, scenes)}
            with running_service(folder, **settings) as service:
                yield SetUp(POSTGRESQL, service, around, scenes, valkey, server)
    finally:
        valkey.end()


def _settings(around: Around, scenes: Collection[Scene]) -> dict[str, str]:
    settings = {"SMTP_URL": around.relay.url, "PUSH_HOSTS": around.push.origin}
    settings["SHORTEST_PACE_SECONDS"] = "1"  # else half an hour passes between two mails to a player
    settings["SECRET_KEYS"] = ""  # in files: a restore puts a new one first
    if Scene.NO_PAGES in scenes:
        settings["BASE_URL"] = "none"
    if around.mailbox is None:
        return {**settings, "REPLY_DOMAIN": REPLY_DOMAIN}
    return {**settings, "INBOX_URL": around.mailbox.url, "INBOX_PASSWORD": PASSWORD, "REPLY_MAILBOX": ADDRESS}


def scenes_of(seed: int, name: str) -> tuple[Scene, ...]:
    """The scenes of a run: the two set-ups have different ones, and so have the next seeds."""
    return TURNS[(seed + NAMES.index(name)) % len(TURNS)]


TURNS: tuple[tuple[Scene, ...], ...] = (
    (Scene.MAILBOX,),
    (Scene.RESTORE,),
    (Scene.NO_PAGES, Scene.MAILBOX),
    (Scene.CLOCK,),
)
SET_UPS = {SQLITE: on_sqlite, POSTGRESQL: on_postgresql}
