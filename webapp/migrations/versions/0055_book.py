"""A table has a book: a line for each player in each of its games that is over

The command `migrate` then writes the lines of the games that are over (`games.book.reckon_missing`), as it does for any
that an older program ends meanwhile.
"""

import sqlalchemy as sa
from alembic import op

revision = "0055"
down_revision = "0054"

COUNTS = ("hands", "points", "queens", "moons", "stopped", "worst_times", "asked", "late", "played_for")


def upgrade() -> None:
    op.create_table(
        "book",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("game_id", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("side", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("at_end", sa.Boolean, nullable=False),
        sa.Column("counts", sa.Boolean, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer),
        *(sa.Column(name, sa.Integer, nullable=False) for name in COUNTS),
        sa.Column("worst", sa.Integer),
        sa.Column("seconds", sa.Integer),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_book_game_id_game")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_book_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_book")),
    )
    op.create_index("ix_book_game_id", "book", ["game_id"])
    op.create_index("ix_book_player_id", "book", ["player_id"])
