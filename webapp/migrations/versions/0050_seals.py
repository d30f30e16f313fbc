"""Games are sealed, and their hands are dealt with secrets that are opened afterwards

A game that runs, or to which players are invited, goes on as it is; the one after it is sealed when it ends.
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0050"
down_revision = "0047"


def upgrade() -> None:
    op.add_column("seat", sa.Column("offered_words", sa.String(100)))
    op.add_column("seat", sa.Column("shuffle_words", sa.String(100)))
    op.add_column("seat", sa.Column("shuffle_part", sa.String(64)))
    op.add_column("restoration", sa.Column("number", sa.Integer))
    op.create_table(
        "seal",
        sa.Column("table_id", sa.Integer, nullable=False),
        sa.Column("game_number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("master", sa.String(64), nullable=False),
        sa.Column("root", sa.String(64), nullable=False),
        sa.Column("restores", sa.Integer, nullable=False),
        sa.Column("made_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["card_table.id"], name=op.f("fk_seal_table_id_card_table")),
        sa.PrimaryKeyConstraint("table_id", "game_number", name=op.f("pk_seal")),
    )
    op.create_table(
        "dealt",
        sa.Column("game_id", sa.Integer, nullable=False),
        sa.Column("hand", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("leaf", sa.Integer, nullable=False),
        sa.Column("parts", sa.JSON, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_dealt_game_id_game")),
        sa.PrimaryKeyConstraint("game_id", "hand", name=op.f("pk_dealt")),
    )
