"""Until when a player is away

A player who is away when this runs stays so until they say that they are back.
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    op.add_column("seat", sa.Column("away_until", UTCDateTime(), nullable=True))
    where = sa.text("away_until IS NOT NULL")
    op.create_index("ix_seat_away_until", "seat", ["away_until"], postgresql_where=where, sqlite_where=where)
