"""Each question waits its full time: players, tables and seats have no wait, and hands no short one

Nobody got a mail about a choice with a short wait. So their hand has no deadline until a worker, whom its game wakes at
once, finds that it stands still, and asks them as it asks for every choice. A hand at which the robot was about to look
stands still already. Mails that were to tell of a wait, or to ask whether its player wanted another, say that there is
none.
"""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0043"
down_revision = "0042"

CHOSEN_IN = ("player", "card_table", "seat")
CLOCKS = ("game", "hand_clock")


def _clock(name: str, *keys: str) -> sa.TableClause:
    kept = (sa.column("short_wait", sa.JSON), sa.column("due_at", UTCDateTime))
    return sa.table(name, *map(sa.column, keys), *kept, sa.column("wake_at", UTCDateTime))


GAME = _clock("game", "id", "table_id", "state", "turns", "at_once")
HAND = _clock("hand_clock", "game_id", "hand")
TABLE = sa.table("card_table", sa.column("id"), sa.column("paused_at"))
TURN = sa.table("turn", sa.column("game_id"), sa.column("number"), sa.column("hand"))


def upgrade() -> None:
    _end_short_waits()
    for name in CLOCKS:
        op.drop_column(name, "short_wait")
        op.drop_column(name, "left_to_player")
    for name in CHOSEN_IN:
        op.drop_column(name, "wait")
    unsent = "kind = 'answer' AND state IN ('queued', 'held') AND reason = 'sure' AND about LIKE 'wait%'"
    op.execute(f"UPDATE letter SET reason = 'wait', about = NULL WHERE {unsent}")


def _end_short_waits() -> None:
    """Leaves the hands without a deadline that have a short wait: it is for the last record of the hand."""
    connection = op.get_bind()
    running = (GAME.c.state == "playing", TABLE.c.id == GAME.c.table_id, TABLE.c.paused_at.is_(None))
    last = sa.select(sa.func.max(TURN.c.number)).where(TURN.c.game_id == HAND.c.game_id, TURN.c.hand == HAND.c.hand)
    single = sa.select(GAME.c.id, sa.null(), GAME.c.short_wait, GAME.c.turns)
    single = single.where(*running, GAME.c.at_once == 1, GAME.c.short_wait.is_not(None))
    beside = sa.select(HAND.c.game_id, HAND.c.hand, HAND.c.short_wait, last.scalar_subquery())
    beside = beside.where(*running, HAND.c.game_id == GAME.c.id, HAND.c.short_wait.is_not(None))
    for game_id, hand, short, turn in [*connection.execute(single), *connection.execute(beside)]:
        if short["turn"] == turn:
            is_hands = (HAND.c.game_id == game_id, HAND.c.hand == hand)
            connection.execute(HAND.update().where(*is_hands).values(due_at=None))
            alone = {"due_at": None} if hand is None else {}
            wakes = GAME.update().where(GAME.c.id == game_id).values(wake_at=datetime.now(UTC), **alone)
            connection.execute(wakes)
