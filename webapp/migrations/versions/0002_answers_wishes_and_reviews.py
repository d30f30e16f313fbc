"""Answers, wishes and reviews"""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

UNHANDLED = sa.text("handled_at IS NULL")
NO, YES = sa.false(), sa.true()
FREQUENCY = sa.Enum("every", "bundled", "daily", name="frequency", native_enum=False, length=20)
# New columns, each with what the rows of the first version have there; None where nothing is.
NEW_COLUMNS: tuple[tuple[str, str, Any, Any], ...] = (
    ("player", "frequency", FREQUENCY, "every"),
    ("player", "daily_at", sa.Integer(), "8"),
    ("player", "reminders", sa.Boolean(), YES),
    ("player", "invitations", sa.Boolean(), YES),
    ("player", "bounce_score", sa.Integer(), "0"),
    ("player", "bounced_on", sa.Date(), None),
    ("player", "seen_at", UTCDateTime(), None),
    ("player", "unreachable_at", UTCDateTime(), None),
    ("seat", "away", sa.Boolean(), NO),
    ("seat", "missed", sa.Integer(), "0"),
    ("seat", "mails", sa.Boolean(), YES),
    ("card_table", "suggestions", sa.Boolean(), NO),
    ("letter", "address", sa.String(254), None),
    ("game", "names", sa.JSON(), None),
    ("letter", "told_by", sa.Integer(), None),
)
QUIET_HOURS = ("quiet_from", "quiet_to")  # players of the first version have not been asked: none


def upgrade() -> None:
    op.create_table(
        "inbound",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sender", sa.String(320), nullable=False),
        sa.Column("recipient", sa.String(320), nullable=False),
        sa.Column("identity", sa.String(250), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=True),
        sa.Column("next_at", UTCDateTime(), nullable=True),
        sa.Column("received_at", UTCDateTime(), nullable=False),
        sa.Column("handled_at", UTCDateTime(), nullable=True),
        sa.Column("taken_for", sa.String(20), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbound")),
        sa.UniqueConstraint("recipient", "identity", name=op.f("uq_inbound_recipient")),
    )
    op.create_index("ix_inbound_next_at", "inbound", ["next_at"], postgresql_where=UNHANDLED, sqlite_where=UNHANDLED)
    op.create_table(
        "pause",
        sa.Column("domain", sa.String(254), nullable=False),
        sa.Column("until", UTCDateTime(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("domain", name=op.f("pk_pause")),
    )
    op.create_table(
        "review",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("hand", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("opinions", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_review_game_id_game")),
        sa.PrimaryKeyConstraint("game_id", "hand", name=op.f("pk_review")),
    )
    for table, name, kind, value in NEW_COLUMNS:
        op.add_column(table, sa.Column(name, kind, nullable=value is None, server_default=value))
    for name in QUIET_HOURS:
        op.add_column("player", sa.Column(name, sa.Integer(), nullable=True))


def downgrade() -> None:
    for table, name in [("player", name) for name in QUIET_HOURS] + [(table, name) for table, name, *_ in NEW_COLUMNS]:
        with op.batch_alter_table(table) as batch:
            batch.drop_column(name)
    op.drop_table("review")
    op.drop_table("pause")
    op.drop_table("inbound")
