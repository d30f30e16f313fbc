"""Packed games: the turns of a game that ended long ago as one row

Going back to the version before writes a row for each of these turns again.
"""

import json
import zlib
from datetime import datetime

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

PACKED = sa.table("packed_game", sa.column("game_id", sa.Integer()), sa.column("turns", sa.LargeBinary()))
TURN = sa.table(
    "turn",
    sa.column("game_id", sa.Integer()),
    sa.column("number", sa.Integer()),
    sa.column("turn", sa.JSON()),
    sa.column("hand", sa.Integer()),
    sa.column("way", sa.String()),
    sa.column("choice", sa.JSON(none_as_null=True)),
    sa.column("at", UTCDateTime()),
)


def upgrade() -> None:
    op.create_table(
        "packed_game",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("turns", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_packed_game")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_packed_game_game_id_game")),
    )


def downgrade() -> None:
    connection = op.get_bind()
    for game_id in connection.execute(sa.select(PACKED.c.game_id)).scalars().all():
        data = connection.execute(sa.select(PACKED.c.turns).where(PACKED.c.game_id == game_id)).scalar_one()
        names = ("turn", "way", "choice", "hand", "at")
        rows = [
            {"game_id": game_id, "number": number, **dict(zip(names, one, strict=True))}
            for number, one in enumerate(json.loads(zlib.decompress(data))["turns"], 1)
        ]
        connection.execute(TURN.insert(), [{**row, "at": datetime.fromisoformat(row["at"])} for row in rows])
    op.drop_table("packed_game")
