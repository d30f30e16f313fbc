"""Copies a snapshot of a PostgreSQL database with pg_dump and pg_restore, which must be on the PATH.

They get the password in their environment, because every user of the machine can read a process's arguments.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import IO

from psycopg.conninfo import make_conninfo
from sqlalchemy import inspect, make_url
from sqlalchemy.exc import SQLAlchemyError

from webapp.core.database import Database
from webapp.operators.backup_contents import NO_TABLES, OWN_FILE, BackupError

LONGEST = 400  # letters of a failed program's error message
_VERSION = re.compile(r"^COPY \S*alembic_version .*;\n(\w+)$", re.MULTILINE)


def save(url: str, file: Path) -> None:
    """Copies the database at `url` to a new file. Raises BackupError."""
    file.touch(mode=OWN_FILE, exist_ok=False)
    _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={file}", url=url)


def check(file: Path) -> str:
    """Reads a whole copy and returns the version of its tables. Raises BackupError if it is damaged or has none."""
    with open(os.devnull, "wb") as nowhere:
        _run("pg_restore", "--file=-", str(file), output=nowhere)
    found = _VERSION.search(_run("pg_restore", "--data-only", "--table=alembic_version", "--file=-", str(file)))
    if found is None:
        raise BackupError(NO_TABLES)
    return found[1]


def check_is_empty(url: str) -> None:
    """Raises BackupError if the database has a table, or cannot be reached."""
    database = Database.at(url)
    try:
        tables = inspect(database.engine).get_table_names()
    except SQLAlchemyError as error:
        raise BackupError(f"The database cannot be reached: {_shortened(str(getattr(error, 'orig', error)))}") from None
    finally:
        database.engine.dispose()
    if tables:
        raise BackupError("There are tables in the database already; restore into an empty one. Nothing was changed.")


def load(url: str, copy: Path) -> None:
    """Writes the copy into the empty database at `url`, completely or not at all. Raises BackupError."""
    whole = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges")
    _run("pg_restore", *whole, str(copy), url=url)


def _run(program: str, *words: str, url: str | None = None, output: IO[bytes] | int = subprocess.PIPE) -> str:
    """Runs a PostgreSQL program, on the database at `url` if given. Returns its output if that goes to a pipe."""
    path = shutil.which(program)
    if path is None:
        raise BackupError(
            f"{program} is not on the PATH. It is one of PostgreSQL's programs for clients (Debian: postgresql-client)."
        )
    environment = dict(os.environ)
    if url is not None:
        named = make_url(url)
        _, options = named.get_dialect()().create_connect_args(named)
        password = options.pop("password", None)
        words = (*words, "--no-password", f"--dbname={make_conninfo(**options)}")
        environment |= {"PGPASSWORD": password} if password else {}
    done = subprocess.run(
        [path, *words], env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, check=False
    )
    if done.returncode:
        raise BackupError(f"{program} has failed: {_shortened(done.stderr.decode(errors='replace'))}")
    return (done.stdout or b"").decode(errors="replace")


def _shortened(said: str) -> str:
    return " ".join(re.sub(r"^pg_\w+: (error: |detail: )?", "", said, flags=re.MULTILINE).split())[:LONGEST]
