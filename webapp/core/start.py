"""How every process starts: it reads the settings, secures the data directory and checks that the database answers.

A process that cannot go on ends with status 2 and a sentence that names the setting, without its password.
"""

import atexit
import gc
import sys
from typing import NoReturn

from sqlalchemy import make_url, text
from sqlalchemy.exc import DBAPIError

from webapp.core.config import Settings, settings_or_exit
from webapp.core.database import Database
from webapp.core.log import start_log
from webapp.core.runtime import Runtime


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
    atexit.register(_give_back_connections, runtime)
    return runtime


def exit_if_unreachable(settings: Settings) -> None:
    """Ends the process, with a sentence on standard error, if the database cannot be reached."""
    database = Database.at(settings.database)
    try:
        with database.engine.connect() as connection:
            connection.execute(text("SELECT 1"))
    except DBAPIError as error:
        name = "DATABASE_URL" if settings.database_url else "DATA_DIR"
        _exit(f"{name} names a database that cannot be reached: {_reason(error, settings.database)}")
    finally:
        database.engine.dispose()


def _give_back_connections(runtime: Runtime) -> None:
    """Closes the connections to the database that are free, if there are any: else Python may warn of each."""
    if "database" in vars(runtime):
        runtime.database.engine.dispose()


def _reason(error: DBAPIError, url: str) -> str:
    """The first line of the driver's message; the password is removed if the driver quotes it."""
    reason = str(error.orig).strip().partition("\n")[0].removeprefix("connection failed: ").rstrip(".")
    password = make_url(url).password
    return reason.replace(str(password), "...") if password else reason


def _exit(sentence: str) -> NoReturn:
    sys.stderr.write(f"{sentence}.\n")
    raise SystemExit(2)
