"""Players may want no mail in January about the year of their tables, and close parts of the page about them"""

import sqlalchemy as sa
from alembic import op

revision = "0056"
down_revision = "0055"


def upgrade() -> None:
    op.add_column("player", sa.Column("year_mail", sa.Boolean, nullable=False, server_default=sa.true()))
    op.add_column("player", sa.Column("closed", sa.JSON))
