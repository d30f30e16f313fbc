"""An index of the seats that are offered, by newcomer: whoever has none of them may be forgotten"""

from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(op.f("ix_seat_offered_to"), "seat", ["offered_to"])


def downgrade() -> None:
    op.drop_index(op.f("ix_seat_offered_to"), "seat")
