"""Links that a host sends by messenger, the guests who come by them, and the host's words

A seat that is open when this runs stays in the lobby.
"""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"

# With the value that rows have which a program of the version before adds.
NEW = (
    ("card_table", "link_number", sa.Integer, "1"),
    ("seat", "by_link", sa.Boolean, sa.false()),
)


def upgrade() -> None:
    op.add_column("card_table", sa.Column("words", sa.String(160), nullable=True))
    op.add_column("card_table", sa.Column("refused", sa.JSON(none_as_null=True), nullable=True))
    for table, name, kind, value in NEW:
        op.add_column(table, sa.Column(name, kind, nullable=False, server_default=value))
