"""How Alembic runs our scripts: on the tables of `webapp.models`, in one transaction."""

from alembic import context
from sqlmodel import SQLModel

from webapp import models
from webapp.database import Database

database = Database(context.config.attributes["url"])
with database.engine.connect() as connection:
    context.configure(
        connection=connection,
        target_metadata=SQLModel.metadata,
        render_as_batch=True,  # SQLite changes a table by making it anew
        compare_type=True,
    )
    with context.begin_transaction():
        context.run_migrations()
database.engine.dispose()
assert models.TurnRow.__tablename__ in SQLModel.metadata.tables
