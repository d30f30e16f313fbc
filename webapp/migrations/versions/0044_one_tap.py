"""A card chosen ahead has no terms, and nobody is asked before their turn

A card stays that was to be dropped where the trick gets points, and in no other case: that is the rule. One with other
terms, a second card or a lead is dropped, and its player is asked at their turn.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"

CLOCKS = ("game", "hand_clock")
USUAL = ({"points"}, {"queen", "points"})  # the queen of spades is among the points
KEPT = ("hand", "trick", "card", "seen", "at")

SEAT = sa.table("seat", sa.column("table_id"), sa.column("seat"), sa.column("ahead", sa.JSON(none_as_null=True)))


def upgrade() -> None:
    connection = op.get_bind()
    rows = connection.execute(sa.select(SEAT).where(SEAT.c.ahead.is_not(None))).all()
    for table_id, seat, ahead in rows:
        is_this = (SEAT.c.table_id == table_id) & (SEAT.c.seat == seat)
        connection.execute(SEAT.update().where(is_this).values(ahead=without_terms(ahead)))
    about_terms = "kind = 'answer' AND reason IN ('cannot', 'has_come') AND state = 'queued'"
    op.execute(f"UPDATE letter SET state = 'superseded', next_at = NULL WHERE {about_terms}")
    for name in CLOCKS:
        op.drop_column(name, "asked_ahead")
    op.drop_column("card_table", "asks_ahead")


def without_terms(ahead: dict[str, Any]) -> dict[str, Any] | None:
    """The cards ahead of a seat by hand, also of a row that was written without the hand; None if none stays."""
    chosen = [ahead] if "card" in ahead else list(ahead.values())
    kept = [one for one in chosen if {*one["unless"]} in USUAL and not one.get("instead") and not one.get("lead")]
    return {str(one["hand"]): {name: one[name] for name in KEPT if name in one} for one in kept} or None
