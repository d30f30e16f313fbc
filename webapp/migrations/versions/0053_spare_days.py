"""Each turn has a time of its own, tables have no banks of time, and no player sets what becomes of spare days

A deadline that runs stays as it is. From the next question on, a table that had a bank gives each turn twice what a
turn added to the bank, and each player as many spare days as the bank held at most; so does another pace that its host
has proposed with a bank. The seats of its game note that, so that its page says it until the game ends. A spare day is
taken for every player who misses a deadline.
"""

from typing import Any, Final

import sqlalchemy as sa
from alembic import op

revision = "0053"
down_revision = "0052"

DAY: Final = 24 * 60 * 60
SHORTEST: Final = DAY // 2  # seconds for a turn, at a table with spare days
MOST_DAYS: Final = 14  # that a host can choose

_JSON = sa.JSON(none_as_null=True)
TABLE = sa.table(
    "card_table",
    *(sa.column(name) for name in ("id", "state", "pass_seconds", "play_seconds", "vacation_days")),
    *(sa.column(name, _JSON) for name in ("bank", "proposals")),
)
SEAT = sa.table("seat", *(sa.column(name) for name in ("table_id", "seat")), sa.column("vacation", _JSON))


def upgrade() -> None:
    connection = op.get_bind()
    had = TABLE.c.bank.is_not(None)
    for table in connection.execute(sa.select(TABLE).where(had | TABLE.c.proposals.is_not(None))).mappings().all():
        proposals = [_without_bank(one) for one in table["proposals"] or ()] or None
        values = {**_pace(table), "proposals": proposals}
        connection.execute(TABLE.update().where(TABLE.c.id == table["id"]).values(values))
    played = sa.select(TABLE.c.id).where(had, TABLE.c.state == "playing")
    for seat in connection.execute(sa.select(SEAT).where(SEAT.c.table_id.in_(played))).mappings().all():
        is_this = (SEAT.c.table_id == seat["table_id"]) & (SEAT.c.seat == seat["seat"])
        vacation = {**(seat["vacation"] or {}), "had_bank": True}
        connection.execute(SEAT.update().where(is_this).values(vacation=vacation))
    op.drop_column("card_table", "bank")
    op.drop_column("seat", "bank")
    op.drop_column("player", "auto_vacation")


def _pace(pace: Any) -> dict[str, int]:
    """The times and spare days of a table, or of a proposal, in place of its bank if it has one."""
    times = {name: pace[name] for name in ("pass_seconds", "play_seconds", "vacation_days")}
    if not pace.get("bank"):
        return times
    least = max(SHORTEST, 2 * pace["bank"]["increment"])
    days = min(MOST_DAYS, -(-pace["bank"]["cap"] // DAY))
    return {
        **{name: max(least, times[name]) for name in ("pass_seconds", "play_seconds")},
        "vacation_days": max(days, times["vacation_days"]),
    }


def _without_bank(proposal: Any) -> Any:
    return proposal if proposal.get("pace") is None else {**proposal, "pace": _pace(proposal["pace"])}
