"""Cards that lie face down: whether a table hides how fast its cards are played, and what lies in its game"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("card_table", sa.Column("hides_speed", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("game", sa.Column("face_down", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("game", "face_down")
    op.drop_column("card_table", "hides_speed")
