"""Results that players show to anybody who has the link"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "share",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("names", sa.Boolean(), nullable=False),
        sa.Column("shared_at", UTCDateTime(), nullable=False),
        sa.Column("ended_at", UTCDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_share")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_share_game_id_game")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_share_player_id_player")),
        sa.UniqueConstraint("game_id", "player_id", name=op.f("uq_share_game_id")),
    )
    op.create_index(op.f("ix_share_player_id"), "share", ["player_id"])


def downgrade() -> None:
    op.drop_table("share")
