"""A short wait for players whose choice hardly matters."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    for name in ("game", "hand_clock"):
        op.add_column(name, sa.Column("short_wait", sa.JSON(none_as_null=True), nullable=True))
