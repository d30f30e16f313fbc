"""Writes a dump of the newest version's rows: `python -m tests.webapp.migrations.dump`.

The tests upgrade each dump and downgrade it again, so that the next migration is tried on rows as they were before it.
When you add a migration, or a word to a column of words, run this once and add the file to the same commit; leave older
dumps as they are. When several migrations arrive at once, `python -m tests.webapp.migrations.dump 0005` writes the dump
of a version between: it downgrades the newest rows to that version.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from alembic import command

from tests.cast import make_runtime
from tests.webapp.migrations.every_kind import rows_of_every_kind
from tests.webapp.migrations.played import play
from tests.webapp.migrations.rows import Rows, dump_file, read_rows, write_dump, write_rows
from webapp.core.database import Database
from webapp.migrations import config_for, newest, upgrade


def newest_rows(folder: Path) -> Rows:
    """Rows of every kind, of the newest version."""
    runtime = make_runtime(folder)
    play(runtime)
    rows = read_rows(runtime.database.engine)
    runtime.database.engine.dispose()
    return rows_of_every_kind(rows)


def taken_back(rows: Rows, version: str, file: Path) -> Rows:
    """The newest version's `rows` as an older version has them."""
    url = f"sqlite:///{file}"
    upgrade(url)
    database = Database(url)
    write_rows(database.engine, rows)
    command.downgrade(config_for(url), version)
    older = read_rows(database.engine)
    database.engine.dispose()
    return older


def main(version: str) -> None:
    with TemporaryDirectory() as folder:
        rows = newest_rows(Path(folder) / "var")
        write_dump(version, taken_back(rows, version, Path(folder) / "older.db"))
    sys.stdout.write(f"{dump_file(version)}: {sum(map(len, rows.values()))} rows\n")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else newest())
