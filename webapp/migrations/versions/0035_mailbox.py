"""Remembers up to where each mailbox of ours has been read."""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    op.create_table(
        "mailbox",
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("validity", sa.BigInteger(), nullable=False),
        sa.Column("last_uid", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
