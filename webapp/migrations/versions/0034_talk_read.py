"""Each seat remembers the last line of talk that its player was shown."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    op.add_column("seat", sa.Column("talk_read", sa.Integer(), nullable=True))
    # Earlier lines count as read.
    op.execute("UPDATE seat SET talk_read = (SELECT max(id) FROM talk WHERE talk.table_id = seat.table_id)")
