"""The first tables"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "player",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(254), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("time_zone", sa.String(64), nullable=False),
        sa.Column("sign_ins", sa.Integer(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player")),
        sa.UniqueConstraint("address", name=op.f("uq_player_address")),
    )
    op.create_table(
        "card_table",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(8), nullable=False),
        sa.Column("host_id", sa.Integer(), nullable=False),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.Column("pass_seconds", sa.Integer(), nullable=False),
        sa.Column("play_seconds", sa.Integer(), nullable=False),
        sa.Column(
            "robots", sa.Enum("rule", "steady", "strong", name="level", native_enum=False, length=20), nullable=False
        ),
        sa.Column(
            "state",
            sa.Enum("unconfirmed", "inviting", "playing", "over", name="tablestate", native_enum=False, length=20),
            nullable=False,
        ),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("confirmed_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["host_id"], ["player.id"], name=op.f("fk_card_table_host_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_card_table")),
        sa.UniqueConstraint("code", name=op.f("uq_card_table_code")),
    )
    with op.batch_alter_table("card_table", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_card_table_host_id"), ["host_id"], unique=False)

    op.create_table(
        "game",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("state", sa.Enum("playing", "over", name="gamestate", native_enum=False, length=20), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("due_at", UTCDateTime(), nullable=True),
        sa.Column("wake_at", UTCDateTime(), nullable=True),
        sa.Column("started_at", UTCDateTime(), nullable=False),
        sa.Column("ended_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["table_id"], ["card_table.id"], name=op.f("fk_game_table_id_card_table")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game")),
        sa.UniqueConstraint("table_id", "number", name=op.f("uq_game_table_id")),
    )
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.create_index(
            "ix_game_wake_at",
            ["wake_at"],
            unique=False,
            postgresql_where=sa.text("state = 'playing'"),
            sqlite_where=sa.text("state = 'playing'"),
        )

    op.create_table(
        "seat",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column(
            "state",
            sa.Enum("host", "invited", "accepted", "declined", "robot", name="seatstate", native_enum=False, length=20),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_seat_player_id_player")),
        sa.ForeignKeyConstraint(["table_id"], ["card_table.id"], name=op.f("fk_seat_table_id_card_table")),
        sa.PrimaryKeyConstraint("table_id", "seat", name=op.f("pk_seat")),
    )
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seat_player_id"), ["player_id"], unique=False)

    op.create_table(
        "letter",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column(
            "kind",
            sa.Enum(
                "confirm",
                "invitation",
                "declined",
                "pass",
                "turn",
                "moon",
                "played_for_you",
                "score_sheet",
                "final_sheet",
                "sign_in",
                name="letterkind",
                native_enum=False,
                length=20,
            ),
            nullable=False,
        ),
        sa.Column("dedupe", sa.String(160), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("hand", sa.Integer(), nullable=True),
        sa.Column("about", sa.String(60), nullable=True),
        sa.Column("turns", sa.Integer(), nullable=True),
        sa.Column("message_id", sa.String(200), nullable=False),
        sa.Column("thread_id", sa.String(200), nullable=True),
        sa.Column(
            "state",
            sa.Enum("owed", "sent", "kept", "superseded", "failed", name="letterstate", native_enum=False, length=20),
            nullable=False,
        ),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("next_at", UTCDateTime(), nullable=True),
        sa.Column("subject", sa.String(), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("sent_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_letter_game_id_game")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_letter_player_id_player")),
        sa.ForeignKeyConstraint(
            ["table_id", "seat"], ["seat.table_id", "seat.seat"], name=op.f("fk_letter_table_id_seat")
        ),
        sa.ForeignKeyConstraint(["table_id"], ["card_table.id"], name=op.f("fk_letter_table_id_card_table")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_letter")),
        sa.UniqueConstraint("dedupe", name=op.f("uq_letter_dedupe")),
        sa.UniqueConstraint("message_id", name=op.f("uq_letter_message_id")),
    )
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.create_index(
            "ix_letter_next_at",
            ["next_at"],
            unique=False,
            postgresql_where=sa.text("state = 'owed'"),
            sqlite_where=sa.text("state = 'owed'"),
        )
        batch_op.create_index(batch_op.f("ix_letter_player_id"), ["player_id"], unique=False)
        batch_op.create_index("ix_letter_thread", ["game_id", "seat", "hand"], unique=False)

    op.create_table(
        "turn",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("turn", sa.JSON(), nullable=False),
        sa.Column(
            "way",
            sa.Enum("link", "page", "forced", "timeout", "robot", name="way", native_enum=False, length=20),
            nullable=False,
        ),
        sa.Column("choice", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_turn_game_id_game")),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("pk_turn")),
    )


def downgrade() -> None:
    op.drop_table("turn")
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.drop_index("ix_letter_thread")
        batch_op.drop_index(batch_op.f("ix_letter_player_id"))
        batch_op.drop_index(
            "ix_letter_next_at", postgresql_where=sa.text("state = 'owed'"), sqlite_where=sa.text("state = 'owed'")
        )

    op.drop_table("letter")
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_seat_player_id"))

    op.drop_table("seat")
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_game_wake_at", postgresql_where=sa.text("state = 'playing'"), sqlite_where=sa.text("state = 'playing'")
        )

    op.drop_table("game")
    with op.batch_alter_table("card_table", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_card_table_host_id"))

    op.drop_table("card_table")
    op.drop_table("player")
