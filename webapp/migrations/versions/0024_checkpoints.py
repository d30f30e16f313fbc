"""Checkpoints: what a running game needs of the turn records before a deal; it gets one at its next deal"""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("game", sa.Column("checkpoint", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("game", "checkpoint")
