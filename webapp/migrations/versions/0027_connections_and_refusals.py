"""Connections to domains, over which workers send at the same time; letters that the relay has refused"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "connection",
        sa.Column("domain", sa.String(length=254), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("claimed_by", sa.String(length=32), nullable=False),
        sa.Column("until", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("domain", "number", name=op.f("pk_connection")),
    )
    op.add_column("letter", sa.Column("refused", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("letter", "refused")
    op.drop_table("connection")
