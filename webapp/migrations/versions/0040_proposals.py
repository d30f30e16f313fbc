"""A table keeps what its host has proposed to the other players: another pace, the end, a robot for a seat"""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"


def upgrade() -> None:
    op.add_column("card_table", sa.Column("proposals", sa.JSON))
