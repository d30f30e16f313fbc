"""The times in which answers could come in, and up to when a clock has given back those in which none could."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0038"
down_revision = "0037"


def upgrade() -> None:
    op.create_table(
        "way_in",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("opened_at", UTCDateTime(), nullable=False),
        sa.Column("read_up_to", UTCDateTime(), nullable=False),
        sa.Column("looked_at", UTCDateTime(), nullable=True),
        sa.Column("shut_seconds", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("told_at", UTCDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    for clock in ("game", "hand_clock"):
        op.add_column(clock, sa.Column("given_until", UTCDateTime(), nullable=True))
