"""Indexes for what is kept of a person, of which many may go in a day: offers, talk, letters that name them"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

NAMING = sa.text("kind IN ('declined','join','replaced','offer_over')")


def upgrade() -> None:
    op.create_index(op.f("ix_seat_offered_to"), "seat", ["offered_to"])
    op.create_index(op.f("ix_talk_player_id"), "talk", ["player_id"])
    op.create_index("ix_letter_naming", "letter", ["table_id"], postgresql_where=NAMING, sqlite_where=NAMING)


def downgrade() -> None:
    op.drop_index("ix_letter_naming", "letter")
    op.drop_index(op.f("ix_talk_player_id"), "talk")
    op.drop_index(op.f("ix_seat_offered_to"), "seat")
