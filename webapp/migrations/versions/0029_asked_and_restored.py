"""Since when each player is asked; restores of the database; devices; inbound mail; pauses

A running game keeps its deadlines; from the next change or question on, they count from when that was first asked.
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    for name in ("game", "hand_clock"):
        op.add_column(name, sa.Column("first_asked", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("card_table", sa.Column("pause_ends_at", UTCDateTime(), nullable=True))
    op.add_column("card_table", sa.Column("has_strangers", sa.Boolean, nullable=False, server_default=sa.false()))
    with op.batch_alter_table("card_table") as table:
        table.alter_column("has_strangers", server_default=None, existing_type=sa.Boolean, existing_nullable=False)
    op.add_column("device", sa.Column("is_confirmed", sa.Boolean, nullable=False, server_default=sa.true()))
    with op.batch_alter_table("device") as device:
        device.alter_column("is_confirmed", server_default=None, existing_type=sa.Boolean, existing_nullable=False)
    op.add_column("inbound", sa.Column("player_id", sa.Integer, nullable=True))
    op.add_column("inbound", sa.Column("copies", sa.Integer, nullable=False, server_default="0"))
    with op.batch_alter_table("inbound") as inbound:
        inbound.alter_column("copies", server_default=None, existing_type=sa.Integer, existing_nullable=False)
    where = sa.text("handled_at IS NULL")
    op.create_index("ix_inbound_player_id", "inbound", ["player_id"], postgresql_where=where, sqlite_where=where)
    op.create_table(
        "restoration",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("backed_up_at", UTCDateTime(), nullable=False),
        sa.Column("restored_at", UTCDateTime(), nullable=False),
        sa.Column("letters", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_restoration")),
    )
