"""Evenings together: the hours that are proposed, the votes, and the live pace while one lasts"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

IS_DUE = sa.text("due_at IS NOT NULL")
LETTER_TO_EVENING = "fk_letter_evening_id_evening"


def upgrade() -> None:
    op.add_column("card_table", sa.Column("live_seconds", sa.Integer(), nullable=True))
    op.add_column("card_table", sa.Column("evening_changes", sa.Integer(), nullable=False, server_default="0"))
    op.create_table(
        "evening",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("proposed_by", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("pace_seconds", sa.Integer(), nullable=False),
        sa.Column("hours", sa.JSON(), nullable=False),
        sa.Column("votes", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("due_at", UTCDateTime(), nullable=True),
        sa.Column("closes_at", UTCDateTime(), nullable=False),
        sa.Column("begins_at", UTCDateTime(), nullable=True),
        sa.Column("waits_until", UTCDateTime(), nullable=True),
        sa.Column("cancelled_by", sa.String(40), nullable=True),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("changed_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evening")),
        sa.ForeignKeyConstraint(["table_id"], ["card_table.id"], name=op.f("fk_evening_table_id_card_table")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_evening_game_id_game")),
        sa.ForeignKeyConstraint(["proposed_by"], ["player.id"], name=op.f("fk_evening_proposed_by_player")),
    )
    op.create_index(op.f("ix_evening_table_id"), "evening", ["table_id"])
    op.create_index(op.f("ix_evening_game_id"), "evening", ["game_id"])
    op.create_index(op.f("ix_evening_due_at"), "evening", ["due_at"], postgresql_where=IS_DUE, sqlite_where=IS_DUE)
    with op.batch_alter_table("letter") as batch:
        batch.add_column(sa.Column("evening_id", sa.Integer(), nullable=True))
        batch.create_foreign_key(LETTER_TO_EVENING, "evening", ["evening_id"], ["id"])


def downgrade() -> None:
    # An older program knows no such mails, and no such pace: the clock of a game that is live goes on at that of its
    # table, once its present question is answered.
    op.execute("DELETE FROM letter WHERE evening_id IS NOT NULL")
    with op.batch_alter_table("letter") as batch:
        batch.drop_constraint(LETTER_TO_EVENING, type_="foreignkey")
        batch.drop_column("evening_id")
    op.drop_table("evening")
    op.drop_column("card_table", "evening_changes")
    op.drop_column("card_table", "live_seconds")
