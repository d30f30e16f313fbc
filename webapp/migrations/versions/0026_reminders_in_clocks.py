"""Reminders in clocks: when they are due is kept there, and their letters are queued then

Those of questions that are asked already were queued with them, and go as they are. Going back to the version before
leaves out the reminders that were kept.
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("game", sa.Column("reminders", sa.JSON(), nullable=True))
    op.add_column("game", sa.Column("remind_at", UTCDateTime(), nullable=True))
    op.add_column("hand_clock", sa.Column("reminders", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("hand_clock", "reminders")
    op.drop_column("game", "remind_at")
    op.drop_column("game", "reminders")
