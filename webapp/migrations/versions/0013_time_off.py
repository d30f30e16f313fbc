"""Time off: holidays of a player, and vacation days of a game"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

# New columns, each with what the rows of earlier versions have there; None where nothing is.
NEW_COLUMNS: tuple[tuple[str, str, Any, Any], ...] = (
    ("player", "holidays", sa.JSON(), None),
    ("player", "auto_vacation", sa.Boolean(), sa.true()),
    ("card_table", "vacation_days", sa.Integer(), "0"),
    ("seat", "vacation", sa.JSON(), None),
)


def upgrade() -> None:
    for table, name, kind, value in NEW_COLUMNS:
        op.add_column(table, sa.Column(name, kind, nullable=value is None, server_default=value))


def downgrade() -> None:
    for table, name, *_ in NEW_COLUMNS:
        op.drop_column(table, name)
