"""The players of a slow game who are all there may tap to play on live"""

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"


def upgrade() -> None:
    op.add_column("seat", sa.Column("wants_live", sa.Boolean(), nullable=False, server_default=sa.false()))
