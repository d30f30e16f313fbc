"""Company at the table: talk, open and offered chairs, who is here, pauses, notified devices, decks"""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

NO = sa.false()
TALK = sa.Enum("none", "phrases", "text", name="talk", native_enum=False, length=20)
# New columns, each with what the rows of earlier versions have there; None where nothing is.
NEW_COLUMNS: tuple[tuple[str, str, Any, Any], ...] = (
    ("player", "push_only", sa.Boolean(), NO),
    ("player", "two_colours", sa.Boolean(), NO),
    ("player", "large_index", sa.Boolean(), NO),
    ("card_table", "talk", TALK, "text"),
    ("card_table", "paused_at", UTCDateTime(), None),
    ("seat", "here_at", UTCDateTime(), None),
    ("seat", "offered_name", sa.String(40), None),
    ("letter", "notified", sa.Boolean(), NO),
)
OFFERED_TO = "fk_seat_offered_to_player"


def upgrade() -> None:
    op.create_table(
        "device",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("endpoint", sa.String(1000), nullable=False),
        sa.Column("public_key", sa.String(200), nullable=False),
        sa.Column("secret", sa.String(100), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_device_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_device")),
        sa.UniqueConstraint("endpoint", name=op.f("uq_device_endpoint")),
    )
    op.create_index(op.f("ix_device_player_id"), "device", ["player_id"])
    op.create_table(
        "talk",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("text", sa.String(300), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["card_table.id"], name=op.f("fk_talk_table_id_card_table")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_talk_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_talk")),
    )
    op.create_index(op.f("ix_talk_table_id"), "talk", ["table_id"])
    for table, name, kind, value in NEW_COLUMNS:
        op.add_column(table, sa.Column(name, kind, nullable=value is None, server_default=value))
    with op.batch_alter_table("seat") as batch:
        batch.add_column(sa.Column("offered_to", sa.Integer(), nullable=True))
        batch.create_foreign_key(OFFERED_TO, "player", ["offered_to"], ["id"])


def downgrade() -> None:
    with op.batch_alter_table("seat") as batch:
        batch.drop_constraint(OFFERED_TO, type_="foreignkey")
        batch.drop_column("offered_to")
    for table, name, *_ in NEW_COLUMNS:
        with op.batch_alter_table(table) as batch:
            batch.drop_column(name)
    op.drop_table("talk")
    op.drop_table("device")
