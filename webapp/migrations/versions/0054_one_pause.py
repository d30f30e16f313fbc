"""A clock that stands still has one column: since when, until when, and who may let the game go on."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0054"
down_revision = "0053"

TIMES = ("paused_at", "pause_ends_at", "resting_at")
TABLE = sa.table(
    "card_table",
    sa.column("id"),
    sa.column("pause", sa.JSON(none_as_null=True)),
    *(sa.column(name, UTCDateTime()) for name in TIMES),
)


def upgrade() -> None:
    op.add_column("card_table", sa.Column("pause", sa.JSON))
    connection = op.get_bind()
    for table in connection.execute(sa.select(TABLE).where(TABLE.c.paused_at.is_not(None))).mappings().all():
        rests, ends_at = table["resting_at"] is not None, table["pause_ends_at"]
        pause = {"why": "rest" if rests else "players" if ends_at else "host", "since": table["paused_at"].isoformat()}
        if ends_at:
            pause["until"] = ends_at.isoformat()
        connection.execute(TABLE.update().where(TABLE.c.id == table["id"]).values(pause=pause))
    for name in TIMES:
        op.drop_column("card_table", name)
