"""Notes of what operators do"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "operator_act",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.Column("by", sa.String(254), nullable=False),
        sa.Column("act", sa.String(20), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("letter_id", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_operator_act")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_operator_act_game_id_game")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_operator_act_player_id_player")),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], name=op.f("fk_operator_act_letter_id_letter")),
    )


def downgrade() -> None:
    op.drop_table("operator_act")
