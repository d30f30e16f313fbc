"""Players and tables have one of three waits instead of a plan

A plan becomes the wait that is nearest to it: the full time if it asked for every choice, had no orders, or wanted to
be asked more often (wake-ups, or after some trick); 4 hours if it had a short time; else, with orders that played what
cost less than its limit, not at all. Where a table let no robot look, 4 hours was the full time, and becomes that. A
seat, a player or a table without a plan has no wait.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

CHOSEN_IN = ("player", "card_table", "seat")
CLOCKS = ("game", "hand_clock")
FULL, SHORT, NONE = "full", "short", "none"
ASKING = {FULL: "same", SHORT: "short", NONE: "matters"}
ORDERS = ("catch", "take", "duck", "win", "queen", "spades", "hearts", "short", "lead")

JSON = sa.JSON(none_as_null=True)
SEAT = sa.table("seat", sa.column("table_id"), sa.column("seat"), sa.column("lent", JSON))


def upgrade() -> None:
    for name in CHOSEN_IN:
        op.add_column(name, sa.Column("wait", sa.String(20), nullable=True))
        _convert(_chosen_in(name), "plan", "wait", wait_of)
    alone = "SELECT id FROM card_table WHERE NOT guards"
    op.execute(f"UPDATE seat SET wait = 'full' WHERE wait = 'short' AND table_id IN ({alone})")
    op.execute("UPDATE card_table SET wait = 'full' WHERE wait = 'short' AND NOT guards")
    _convert(SEAT, "lent", "lent", lambda lent: _renamed(lent, "plan", "wait", wait_of))
    for name in CHOSEN_IN:
        op.drop_column(name, "plan")
    op.drop_column("card_table", "guards")
    for name in CLOCKS:
        op.execute(f"ALTER TABLE {name} RENAME COLUMN guard_asked TO left_to_player")
    op.execute("UPDATE letter SET reason = 'wait' WHERE kind = 'answer' AND reason = 'plan'")


def downgrade() -> None:
    op.execute("UPDATE letter SET reason = 'plan' WHERE kind = 'answer' AND reason = 'wait'")
    for name in CLOCKS:
        op.execute(f"ALTER TABLE {name} RENAME COLUMN left_to_player TO guard_asked")
    op.add_column("card_table", sa.Column("guards", sa.Boolean, nullable=False, server_default=sa.true()))
    _convert(SEAT, "lent", "lent", lambda lent: _renamed(lent, "wait", "plan", _plan_of))
    for name in CHOSEN_IN:
        op.add_column(name, sa.Column("plan", JSON, nullable=True))
        _convert(_chosen_in(name), "wait", "plan", _plan_of)
        op.drop_column(name, "wait")


def wait_of(plan: dict[str, Any]) -> str:
    """The wait that is nearest to the plan."""
    asks_more = plan["wakes"] or plan["after_trick"] or not plan["orders"]
    if asks_more or plan["asking"] in ("ask", "same"):
        return FULL
    return SHORT if plan["asking"] == "short" else NONE


def _plan_of(wait: str) -> dict[str, Any]:
    return {"asking": ASKING[wait], "limit": 0.25, "orders": [*ORDERS], "wakes": [], "after_trick": 0}


def _chosen_in(name: str) -> sa.TableClause:
    keys = ("table_id", "seat") if name == "seat" else ("id",)
    return sa.table(name, *map(sa.column, keys), sa.column("plan", JSON), sa.column("wait", sa.String))


def _convert(table: sa.TableClause, source: str, target: str, change: Any) -> None:
    """Sets the column `target` of each row that has a `source` to what `change` makes of that."""
    connection = op.get_bind()
    keys = [column for column in table.columns if column.name in ("id", "table_id", "seat")]
    for *key, value in connection.execute(sa.select(*keys, table.c[source]).where(table.c[source].is_not(None))).all():
        where = [column == part for column, part in zip(keys, key, strict=True)]
        connection.execute(table.update().where(*where).values({target: change(value)}))


def _renamed(lent: dict[str, Any], old: str, new: str, change: Any) -> dict[str, Any]:
    """The same about a lent seat, with what its owner had chosen under its new name."""
    kept = {name: value for name, value in lent.items() if name != old}
    return kept if lent.get(old) is None else {**kept, new: change(lent[old])}
