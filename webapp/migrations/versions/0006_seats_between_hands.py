"""Seats change hands between two hands: how far an offer has come, and who had a seat before"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

OFFER = sa.Enum("released", "accepted", name="offerstate", native_enum=False, length=20)


def upgrade() -> None:
    # Not in a batch: on SQLite that would make the table of seats anew, to which letters refer.
    op.add_column("seat", sa.Column("offer_state", OFFER, nullable=True))
    op.add_column("game", sa.Column("earlier", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("game", "earlier")
    op.drop_column("seat", "offer_state")
