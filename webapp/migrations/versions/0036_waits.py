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

CHOSEN_IN = ("player", "card_table", "seat")
CLOCKS = ("game", "hand_clock")
FULL, SHORT, NONE = "full", "short", "none"

JSON = sa.JSON(none_as_null=True)
SEAT = sa.table("seat", sa.column("table_id"), sa.column("seat"), sa.column("lent", JSON))


def upgrade() -> None:
    for name in CHOSEN_IN:
        op.add_column(name, sa.Column("wait", sa.String(20), nullable=True))
        _convert(_chosen_in(name), "plan", "wait", wait_of)
    alone = "SELECT id FROM card_table WHERE NOT guards"
    op.execute(f"UPDATE seat SET wait = 'full' WHERE wait = 'short' AND table_id IN ({alone})")
    op.execute("UPDATE card_table SET wait = 'full' WHERE wait = 'short' AND NOT guards")
    _convert(SEAT, "lent", "lent", _with_wait)
    for name in CHOSEN_IN:
        op.drop_column(name, "plan")
    op.drop_column("card_table", "guards")
    for name in CLOCKS:
        op.execute(f"ALTER TABLE {name} RENAME COLUMN guard_asked TO left_to_player")
    op.execute("UPDATE letter SET reason = 'wait' WHERE kind = 'answer' AND reason = 'plan'")


def wait_of(plan: dict[str, Any]) -> str:
    """The wait that is nearest to the plan."""
    asks_more = plan["wakes"] or plan["after_trick"] or not plan["orders"]
    if asks_more or plan["asking"] in ("ask", "same"):
        return FULL
    return SHORT if plan["asking"] == "short" else NONE


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


def _with_wait(lent: dict[str, Any]) -> dict[str, Any]:
    """The same about a lent seat, with its owner's wait instead of their plan."""
    kept = {name: value for name, value in lent.items() if name != "plan"}
    return kept if lent.get("plan") is None else {**kept, "wait": wait_of(lent["plan"])}
