"""Reminders in clocks: a hand's clock keeps when they are due, and a worker queues their letters then

The version before has queued those of the questions that it asked, and they go as they are. Who goes back to it loses
the reminders that clocks keep.
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
