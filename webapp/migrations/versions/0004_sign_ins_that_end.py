"""Sign-ins that end: a row for each, numbers by which links die, moves to another address"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

STATE = sa.Enum("open", "done", "refused", "dropped", "undone", name="changestate", native_enum=False, length=20)
# Every link that is out carries no number, which is read as 0.
NUMBERS = (
    ("player", "generation"),
    ("player", "links"),
    ("player", "letters_lost"),
    ("seat", "links"),
    ("seat", "visits"),
)


def upgrade() -> None:
    op.create_table(
        "sign_in",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("secret_hash", sa.String(64), nullable=False),
        sa.Column("browser", sa.String(40), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("seen_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_sign_in_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_sign_in_secret_hash")),
    )
    op.create_index(op.f("ix_sign_in_player_id"), "sign_in", ["player_id"])
    op.create_table(
        "address_change",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("old_address", sa.String(254), nullable=False),
        sa.Column("new_address", sa.String(254), nullable=False),
        sa.Column("state", STATE, nullable=False),
        sa.Column("asked_at", UTCDateTime(), nullable=False),
        sa.Column("ready_at", UTCDateTime(), nullable=False),
        sa.Column("proved_at", UTCDateTime(), nullable=True),
        sa.Column("agreed_at", UTCDateTime(), nullable=True),
        sa.Column("ended_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_address_change_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_address_change")),
    )
    op.create_index(op.f("ix_address_change_player_id"), "address_change", ["player_id"])
    op.create_index(op.f("ix_address_change_old_address"), "address_change", ["old_address"])
    is_open = sa.text("state = 'open'")
    op.create_index(
        "ix_address_change_ready_at",
        "address_change",
        ["ready_at"],
        postgresql_where=is_open,
        sqlite_where=is_open,
    )
    for table, name in NUMBERS:
        op.add_column(table, sa.Column(name, sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    for table, name in NUMBERS:
        op.drop_column(table, name)
    op.drop_table("address_change")
    op.drop_table("sign_in")
