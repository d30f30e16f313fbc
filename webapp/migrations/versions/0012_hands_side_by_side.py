"""Hands side by side: how many at a table and in a game, of which hand a turn is, and a clock for each"""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

# New columns, each with what the rows of earlier versions have there; None where nothing is.
NEW_COLUMNS: tuple[tuple[str, str, Any], ...] = (
    ("card_table", "at_once", "1"),
    ("game", "at_once", "1"),
    ("turn", "hand", None),
)


def upgrade() -> None:
    for table, name, value in NEW_COLUMNS:
        op.add_column(table, sa.Column(name, sa.Integer(), nullable=value is None, server_default=value))
    op.create_table(
        "hand_clock",
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("hand", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("due_at", UTCDateTime(), nullable=True),
        sa.Column("asked_at", UTCDateTime(), nullable=True),
        sa.Column("moved_by", sa.Integer(), nullable=False),
        sa.Column("guard_asked", sa.Integer(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("hand_clock")
    for table, name, _ in NEW_COLUMNS:
        op.drop_column(table, name)
