"""Each player has a language; those who play already have read English"""

import sqlalchemy as sa
from alembic import op

revision = "0059"
down_revision = "0058"


def upgrade() -> None:
    op.add_column("player", sa.Column("language", sa.String(8), nullable=False, server_default="en"))
