"""Makes the tables of `webapp.models` in an empty database, or runs our Alembic scripts on those of an older version.

All of it is one transaction.

In SQLite, changing a table means copying it, dropping it and renaming the copy. While foreign keys are enforced, SQLite
refuses to drop a table that other rows refer to. So enforcement is off while the scripts run, and every row is checked
before the commit.
"""

from alembic import context
from alembic.util import CommandError
from sqlalchemy import Connection, text
from sqlmodel import SQLModel

from webapp import models
from webapp.core.database import Database, lift_limits, writing

LONGEST_MS = 600_000
LOCK = 5_208_131  # the key of a PostgreSQL advisory lock that nothing else takes


def migrate(connection: Connection) -> None:
    """Makes the tables, or runs the scripts. Raises CommandError if a foreign key is violated afterwards, and has then
    changed nothing.
    """
    is_sqlite = connection.dialect.name == "sqlite"
    if is_sqlite:
        # This has no effect within a transaction, and SQLAlchemy begins one with the first statement that it sees.
        connection.connection.driver_connection.execute("PRAGMA foreign_keys=OFF")  # type: ignore[union-attr]
        # Another migration may be at work, for longer than any other transaction.
        connection.connection.driver_connection.execute(f"PRAGMA busy_timeout={LONGEST_MS}")  # type: ignore[union-attr]
    context.configure(
        connection=connection,
        target_metadata=SQLModel.metadata,
        render_as_batch=True,
        compare_type=True,
        transactional_ddl=True,  # Alembic believes that SQLite lacks it
    )
    with context.begin_transaction():
        if not is_sqlite:  # two processes might both create the first table
            lift_limits(connection)
            connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
        if context.get_context().get_current_revision() is None:
            SQLModel.metadata.create_all(connection, checkfirst=False)
            context.get_context().stamp(context.script, "head")
        _check_version()
        context.run_migrations()
        if is_sqlite:
            _check_references(connection)


def _check_version() -> None:
    version = context.get_context().get_current_revision()
    known = {script.revision for script in context.script.walk_revisions()}
    if version is None or version in known:
        return
    if version < min(known):
        first = f"Bring it to version {min(known)} with release 0.1 of the program first."
        raise CommandError(f"The database is of version {version}. {first}")
    raise CommandError(f"A newer program has made this database, of version {version}; run that one.")


def _check_references(connection: Connection) -> None:
    broken = {(table, referred) for table, _, referred, _ in connection.execute(text("PRAGMA foreign_key_check"))}
    if broken:
        named = " and ".join(f"{table} to {referred}" for table, referred in sorted(broken))
        raise CommandError(f"Rows would refer to rows that are not there, from {named}; so nothing was changed.")


database = Database.at(context.config.attributes["url"])
try:
    with writing(database.engine).connect() as opened:
        migrate(opened)
finally:
    database.engine.dispose()
assert models.TurnRow.__tablename__ in SQLModel.metadata.tables
