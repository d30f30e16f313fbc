"""The processes' signs of life, and players who were forgotten"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "heartbeat",
        sa.Column("process", sa.String(20), nullable=False),
        sa.Column("seen_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("process", name=op.f("pk_heartbeat")),
    )
    op.add_column("player", sa.Column("forgotten_at", UTCDateTime(), nullable=True))


def downgrade() -> None:
    op.drop_column("player", "forgotten_at")
    op.drop_table("heartbeat")
