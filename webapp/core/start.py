"""What every process does first: read the settings, close the data directory, and see whether the database is there.

A process that cannot go on ends with status 2 and a sentence that names the setting. Passwords are in none.
"""

import sys
from typing import NoReturn

from sqlalchemy import make_url, text
from sqlalchemy.exc import DBAPIError

from webapp.core.config import Settings, settings_or_exit
from webapp.core.database import Database
from webapp.core.runtime import Runtime


def reachable_parts() -> Runtime:
    """The parts of a process that does nothing without the database."""
    runtime = made_parts()
    reach_or_exit(runtime.settings)
    return runtime


def made_parts() -> Runtime:
    """The parts of any process, as the environment has them."""
    settings = settings_or_exit()
    try:
        return Runtime.made_for(settings)
    except OSError as error:
        _exit(f"DATA_DIR is {settings.data_dir}, where nothing can be kept: {(error.strerror or 'unknown').lower()}")


def reach_or_exit(settings: Settings) -> None:
    """Ends the process, with a sentence, where the database cannot be reached."""
    database = Database(settings.database)
    try:
        with database.engine.connect() as connection:
            connection.execute(text("SELECT 1"))
    except DBAPIError as error:
        name = "DATABASE_URL" if settings.database_url else "DATA_DIR"
        _exit(f"{name} names a database that cannot be reached: {_reason(error, settings.database)}")
    finally:
        database.engine.dispose()


def _reason(error: DBAPIError, url: str) -> str:
    """The first line of what the driver says, without the password, should it quote it."""
    reason = str(error.orig).strip().partition("\n")[0].removeprefix("connection failed: ").rstrip(".")
    password = make_url(url).password
    return reason.replace(str(password), "...") if password else reason


def _exit(sentence: str) -> NoReturn:
    sys.stderr.write(f"{sentence}.\n")
    raise SystemExit(2)
