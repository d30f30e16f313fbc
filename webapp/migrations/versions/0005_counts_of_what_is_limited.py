"""Counts of what is limited"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "limit_count",
        sa.Column("key", sa.String(120), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.Column("ends_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_limit_count")),
    )


def downgrade() -> None:
    op.drop_table("limit_count")
