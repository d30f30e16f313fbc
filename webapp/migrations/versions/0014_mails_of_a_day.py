"""The mails of a day, by address"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "mailed",
        sa.Column("whose", sa.String(32), nullable=False),
        sa.Column("about_tables", sa.JSON(), nullable=False),
        sa.Column("personal", sa.JSON(), nullable=False),
        sa.Column("ends_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("whose", name=op.f("pk_mailed")),
    )


def downgrade() -> None:
    op.drop_table("mailed")
