"""Plans and answers ahead: what is played for a player without asking them; one tap to play; days off"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

# New columns, each with what the rows of earlier versions have there; None where nothing is.
NEW_COLUMNS: tuple[tuple[str, str, Any, Any], ...] = (
    ("player", "plan", sa.JSON(), None),
    ("player", "days_off", sa.Integer(), "0"),
    ("player", "tap_plays", sa.Boolean(), None),
    ("card_table", "plan", sa.JSON(), None),
    ("card_table", "guards", sa.Boolean(), sa.true()),
    ("seat", "plan", sa.JSON(), None),
    ("seat", "ahead", sa.JSON(), None),
    ("seat", "robot_hand", sa.Integer(), None),
    ("game", "guard_asked", sa.Integer(), "0"),
)


def upgrade() -> None:
    for table, name, kind, value in NEW_COLUMNS:
        op.add_column(table, sa.Column(name, kind, nullable=value is None, server_default=value))


def downgrade() -> None:
    for table, name, *_ in NEW_COLUMNS:
        op.drop_column(table, name)
