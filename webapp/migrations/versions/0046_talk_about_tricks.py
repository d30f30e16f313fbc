"""A line of talk may be about a finished trick of a game."""

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0044"


def upgrade() -> None:
    for name in ("game_number", "hand", "trick"):
        op.add_column("talk", sa.Column(name, sa.Integer(), nullable=True))
