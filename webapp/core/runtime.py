"""The runtime of every process of the service: settings, clock, database, signers, the push key, the bell."""

import atexit
import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from random import Random, SystemRandom
from typing import NoReturn, Self

from sqlalchemy import Connection, inspect, make_url, text
from sqlalchemy.exc import DBAPIError

from webapp.core import data_folder
from webapp.core.addresses import Postmark, Purpose
from webapp.core.bell import Bell
from webapp.core.config import KEYS_BACK, PUSH_KEY_BACK, BadSetting, Settings, settings_or_exit
from webapp.core.credentials import PushKey
from webapp.core.database import Database, damage
from webapp.core.log import start_log
from webapp.core.tokens import Restoration, Signer, restorations


@dataclass(frozen=True)
class Runtime:
    settings: Settings
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    chance: Random = field(default_factory=SystemRandom, repr=False)  # deals; nobody can foresee the system's

    @classmethod
    def for_settings(cls, settings: Settings) -> Self:
        """A runtime on these settings. Makes the data directory if it is missing, and closes it to other users."""
        data_folder.prepare(settings.data_dir)
        return cls(settings)

    @cached_property
    def database(self) -> Database:
        return Database.at(self.settings.database)

    @cached_property
    def keys(self) -> list[str]:
        """The secret keys, newest first; a process keeps those that it began with."""
        return self.settings.keys()

    @cached_property
    def signer(self) -> Signer:
        return Signer(self.keys, self.settings.address, self.eras)

    @cached_property
    def postmark(self) -> Postmark:
        return Postmark(self.keys, self.settings.incoming_domain, self.eras, self.settings.before_signature)

    def address_in_mail(self, purpose: Purpose, letter_id: int) -> str | None:
        """The address of a letter that its mail names; None if none is to be named.

        That is the signed one, or for replies the mailbox's own if that gets no other mail: its Message-ID is then how
        an answer finds the letter.
        """
        if not self.settings.incoming_domain:
            return None
        if self.settings.keeps_signatures:
            return self.postmark.address(purpose, letter_id)
        return self.settings.reply_mailbox if purpose is Purpose.REPLY else None

    def eras(self) -> tuple[Restoration, ...]:
        """The restores of the database; a process keeps those that it began with, for none is made while one runs."""
        return self._restorations

    @cached_property
    def _restorations(self) -> tuple[Restoration, ...]:
        return restorations(self.database)

    @cached_property
    def push_key(self) -> PushKey | None:
        """The key that signs notifications; None where the service sends none."""
        return self.settings.push_key()

    @cached_property
    def bell(self) -> Bell:
        return Bell(self.settings)


# How every process starts: it reads the settings, secures the data directory and checks that the database answers.
# A process that cannot go on ends with status 2 and a sentence that names the setting, without its password.


def runtime_with_database() -> Runtime:
    """The runtime of a process that needs the database. Ends the process if that cannot be reached."""
    runtime = runtime_from_environment()
    exit_if_unreachable(runtime.settings)
    return runtime


def runtime_from_environment() -> Runtime:
    """A runtime on the settings in the environment. Ends the process if one is invalid or DATA_DIR is unusable."""
    atexit.register(gc.freeze)  # at the end, to look for garbage among all that is there takes up to half a second
    settings = settings_or_exit()
    start_log(settings.log_format)
    try:
        runtime = Runtime.for_settings(settings)
    except OSError as error:
        _exit(f"DATA_DIR is {settings.data_dir}, where nothing can be kept: {(error.strerror or 'unknown').lower()}")
    _exit_without_keys(settings)
    atexit.register(_give_back_connections, runtime)
    return runtime


def exit_if_unreachable(settings: Settings) -> None:
    """Ends the process, with a sentence on standard error, if the database cannot be reached."""
    with _connected(settings) as connection:
        connection.execute(text("SELECT 1"))


def exit_if_missing(settings: Settings) -> None:
    """Ends the process, with a sentence on standard error, if the database is a file that is not there."""
    if not _is_missing(settings):
        return
    name, file = _name(settings), Path(str(make_url(settings.database).database)).absolute()
    _exit(
        f"There is no database {file}, where {name} leads, so nothing was done. Give the command in the folder in "
        f"which the service runs, or set {name} as it has it; `hearts-by-mail run` makes a new one"
    )


def _is_missing(settings: Settings) -> bool:
    """Whether the database is a file that is not there, as far as this user may know."""
    url = make_url(settings.database)
    try:
        return url.get_backend_name() == "sqlite" and bool(url.database) and not Path(str(url.database)).exists()
    except PermissionError:  # what comes next says so
        return False


def _name(settings: Settings) -> str:
    """The setting that leads to the database."""
    return "DATABASE_URL" if settings.database_url else "DATA_DIR"


def _exit_without_keys(settings: Settings) -> None:
    """Ends the process, with a sentence on standard error, if keys in DATA_DIR are damaged, or lost while in use."""
    makes_one = settings.is_on_loopback and not settings.vapid_key
    kept = (
        (None if settings.secret_keys else settings.own_keys, "letter", "signed the links in our mail", KEYS_BACK),
        (settings.own_push_key if makes_one else None, "device", "devices of players know", PUSH_KEY_BACK),
    )
    for file, table, use, way_back in kept:
        if file is not None and not file.exists() and _has_rows(settings, table):
            _exit(f"There is no {file.absolute()}, which {use}. {way_back.rstrip('.')}")
    try:
        settings.keys()
        if settings.own_push_key.exists():
            settings.push_key()
    except BadSetting as error:
        _exit(str(error).rstrip("."))
    except OSError as error:
        _exit(f"{error.filename} cannot be read: {(error.strerror or 'unknown').lower()}")


def _has_rows(settings: Settings, table: str) -> bool:
    """Whether the database has that table, and a row in it. Ends the process if it cannot be reached."""
    if _is_missing(settings):
        return False
    with _connected(settings) as connection:
        has_table = inspect(connection).has_table(table)
        return has_table and connection.execute(text(f"SELECT 1 FROM {table} LIMIT 1")).first() is not None


@contextmanager
def _connected(settings: Settings) -> Iterator[Connection]:
    """A connection to the database. Ends the process, with a sentence, if that does not answer."""
    database = Database.at(settings.database)
    try:
        with database.engine.connect() as connection:
            yield connection
    except DBAPIError as error:
        reason = str(error.orig).strip().partition("\n")[0].removeprefix("connection failed: ").rstrip(".")
        if password := make_url(settings.database).password:
            reason = reason.replace(str(password), "...")  # which the driver may quote
        unreachable = f"{_name(settings)} names a database that cannot be reached: {reason}"
        _exit(damage(error, database.engine.url.database) or unreachable)
    finally:
        database.engine.dispose()


def _give_back_connections(runtime: Runtime) -> None:
    """Closes the connections to the database that are free, if there are any: else Python may warn of each."""
    if "database" in vars(runtime):
        runtime.database.engine.dispose()


def _exit(sentence: str) -> NoReturn:
    sys.stderr.write(f"{sentence}.\n")
    raise SystemExit(2)
