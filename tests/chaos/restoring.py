"""A backup that is restored in the middle of a run, and what is lost by it: all that came between the two."""

import binascii
import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from itsdangerous.encoding import base64_decode
from itsdangerous.exc import BadData
from sqlalchemy import make_url, text

from tests.servers import POSTGRES_PROGRAMS
from webapp.core.runtime import Runtime
from webapp.operators.backup import back_up, restore

KEPT = {"settings", "now", "chance", "database"}  # of a runtime; a process reads all else anew when it starts


@dataclass(frozen=True, slots=True)
class Lost:
    """The time that is lost."""

    since: datetime
    until: datetime

    def covers(self, at: datetime) -> bool:
        return self.since <= at < self.until

    def has_signed(self, token: str) -> bool:
        """Whether a token was signed then; its time is that of a whole second."""
        at = signed_at(token)
        return at is not None and self.since.replace(microsecond=0) <= at < self.until


def signed_at(token: str) -> datetime | None:
    """When a token was signed; None if it is none."""
    parts = token.split(".")
    try:
        return datetime.fromtimestamp(int.from_bytes(base64_decode(parts[-2]), "big"), UTC)
    except (IndexError, BadData, binascii.Error, ValueError, OverflowError):
        return None


def make_backup(runtime: Runtime, folder: Path) -> datetime:
    """Backs up the running service into an empty folder. Returns from when on it holds nothing. Raises BackupError."""
    find_programs()
    return back_up(runtime, folder).made_at


def restore_backup(runtime: Runtime, folder: Path) -> datetime:
    """Replaces the database by the backup, while no process runs. Returns the end of the time that is lost."""
    runtime.database.engine.dispose()
    _empty(runtime)
    restore(Runtime(runtime.settings, runtime.now), folder)
    for name in set(vars(runtime)) - KEPT:
        del vars(runtime)[name]
    return runtime.now()


def find_programs() -> None:
    """Lets this process find those of PostgreSQL."""
    path = os.environ.get("PATH", os.defpath)
    if str(POSTGRES_PROGRAMS) not in path.split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([str(POSTGRES_PROGRAMS), path])


def _empty(runtime: Runtime) -> None:
    url = make_url(runtime.settings.database)
    if url.get_backend_name() == "sqlite":
        for file in _files(Path(url.database or "")):
            file.unlink()
        return
    with runtime.database.engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    runtime.database.engine.dispose()


def _files(database: Path) -> Iterable[Path]:
    return list(database.parent.glob(f"{database.name}*"))
