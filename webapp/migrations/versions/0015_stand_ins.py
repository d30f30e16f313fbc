"""Stand-ins: a friend plays for a player who is away, until the seat returns to them"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

STANDS_IN_FOR = "fk_seat_stands_in_for_player"
INDEX = "ix_seat_stands_in_for"


def upgrade() -> None:
    with op.batch_alter_table("seat") as batch:
        batch.add_column(sa.Column("stands_in_for", sa.Integer(), nullable=True))
        batch.create_foreign_key(STANDS_IN_FOR, "player", ["stands_in_for"], ["id"])
    op.create_index(INDEX, "seat", ["stands_in_for"])
    op.add_column("seat", sa.Column("lent", sa.JSON(), nullable=True))


def downgrade() -> None:
    # An older program knows no stand-ins: the seats return to their players, who are away, and nobody is asked.
    op.execute("UPDATE seat SET state = 'host' WHERE stands_in_for IS NOT NULL AND seat = 0")
    op.execute("UPDATE seat SET player_id = stands_in_for, away = TRUE WHERE stands_in_for IS NOT NULL")
    nobody = "offered_to = NULL, offered_name = NULL, offer_state = NULL"
    op.execute(f"UPDATE seat SET {nobody} WHERE offer_state = 'stand_in'")
    op.drop_column("seat", "lent")
    op.drop_index(INDEX, "seat")
    with op.batch_alter_table("seat") as batch:
        batch.drop_constraint(STANDS_IN_FOR, type_="foreignkey")
        batch.drop_column("stands_in_for")
