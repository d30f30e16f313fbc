"""A player has a first browser, which went on to later turns when none had; no other goes on by a mailed link alone

The next browser in which a player plays is their first one.
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0041"
down_revision = "0040"


def upgrade() -> None:
    op.add_column("player", sa.Column("browser_at", UTCDateTime(), nullable=True))
