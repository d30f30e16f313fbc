"""How much mail came to an address and from a sender of late is found by index"""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(op.f("ix_inbound_recipient"), "inbound", ["recipient", "received_at"])
    op.create_index(op.f("ix_inbound_sender"), "inbound", ["sender", "received_at"])


def downgrade() -> None:
    op.drop_index(op.f("ix_inbound_sender"), "inbound")
    op.drop_index(op.f("ix_inbound_recipient"), "inbound")
