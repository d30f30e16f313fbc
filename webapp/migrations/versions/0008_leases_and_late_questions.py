"""Leases and late questions: who has claimed a letter, since when a deadline runs, and by how much it was moved"""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

# New columns, each with what the rows of earlier versions have there; None where nothing is.
NEW_COLUMNS: tuple[tuple[str, str, Any, Any], ...] = (
    ("game", "asked_at", UTCDateTime(), None),
    ("game", "moved_by", sa.Integer(), "0"),
    ("game", "rings", sa.Integer(), "0"),
    ("letter", "claimed_by", sa.String(32), None),
    ("letter", "told_at", UTCDateTime(), None),
    ("letter", "moved_at", UTCDateTime(), None),
)
# New indexes on letters, each with the rows that it holds.
NEW_INDEXES = (
    ("ix_letter_waiting", "created_at", "state = 'owed' AND kind IN ('pass', 'turn', 'moon')"),
    ("ix_letter_moved_at", "moved_at", "moved_at IS NOT NULL"),
)


def upgrade() -> None:
    for table, name, kind, value in NEW_COLUMNS:
        op.add_column(table, sa.Column(name, kind, nullable=value is None, server_default=value))
    for name, column, rows in NEW_INDEXES:
        op.create_index(name, "letter", [column], postgresql_where=sa.text(rows), sqlite_where=sa.text(rows))


def downgrade() -> None:
    for name, *_ in NEW_INDEXES:
        op.drop_index(name, "letter")
    for table, name, *_ in NEW_COLUMNS:
        op.drop_column(table, name)
