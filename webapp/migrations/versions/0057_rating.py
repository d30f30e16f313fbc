"""Players have a rating of their games in the lobby, which is reckoned with the book"""

import sqlalchemy as sa
from alembic import op

revision = "0057"
down_revision = "0056"


def upgrade() -> None:
    op.add_column("player", sa.Column("rating_mean", sa.Float))
    op.add_column("player", sa.Column("rating_doubt", sa.Float))
