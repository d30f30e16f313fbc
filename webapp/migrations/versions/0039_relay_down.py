"""A pause of all mail says since when our relay has taken none

A pause that lasts while this is added has no such moment, and the next one has it.
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    op.add_column("pause", sa.Column("since", UTCDateTime(), nullable=True))
