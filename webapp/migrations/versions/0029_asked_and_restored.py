"""Since when each player has been asked for what a hand asks; the restores of the database

A running game keeps its deadlines; from the next change or question on, they count from when that was first asked.
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("game", "hand_clock"):
        op.add_column(name, sa.Column("first_asked", sa.JSON(none_as_null=True), nullable=True))
    op.create_table(
        "restoration",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("backed_up_at", UTCDateTime(), nullable=False),
        sa.Column("restored_at", UTCDateTime(), nullable=False),
        sa.Column("letters", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_restoration")),
    )
