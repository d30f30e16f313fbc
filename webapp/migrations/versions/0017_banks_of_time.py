"""Banks of time: what each player of a table has, and what is left of it"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("card_table", "seat"):
        op.add_column(table, sa.Column("bank", sa.JSON(), nullable=True))


def downgrade() -> None:
    for table in ("card_table", "seat"):
        op.drop_column(table, "bank")
