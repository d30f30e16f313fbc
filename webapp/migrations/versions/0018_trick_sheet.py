"""The trick sheet: whether a table asks its followers at once, and whom each hand has asked before their turn"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("card_table", sa.Column("asks_ahead", sa.Boolean(), nullable=False, server_default=sa.false()))
    for table in ("game", "hand_clock"):
        op.add_column(table, sa.Column("asked_ahead", sa.JSON(), nullable=True))


def downgrade() -> None:
    for table in ("game", "hand_clock"):
        op.drop_column(table, "asked_ahead")
    op.drop_column("card_table", "asks_ahead")
