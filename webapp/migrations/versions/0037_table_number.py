"""A seat has the number of its table among the open ones of its host, so that no two of them look alike

Every table keeps its name: it is the first.
"""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"


def upgrade() -> None:
    op.add_column("seat", sa.Column("table_number", sa.Integer, nullable=False, server_default="1"))
