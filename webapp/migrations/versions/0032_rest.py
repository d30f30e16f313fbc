"""Tables at rest; mail that waits for its reader

A letter that waits while this migration runs waits as if it had just begun to.
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    op.add_column("card_table", sa.Column("resting_at", UTCDateTime(), nullable=True))
    op.add_column("game", sa.Column("unattended", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("letter", sa.Column("held_at", UTCDateTime(), nullable=True))
