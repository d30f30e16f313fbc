"""Players go on live when all are there, and agree on no hour for it

Players who were told the hour of an evening that has not begun get one mail that calls it off. A game that is played
live stays so until a player leaves. Mails about evenings become proposals, which ask for no card either: their
addresses and links lead on.
"""

import secrets
from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0051"
down_revision = "0050"

EVENING = sa.table("evening", sa.column("id"), sa.column("state"))
GAME = sa.table("game", sa.column("id"), sa.column("turns"))
SEAT = ("player_id", "table_id", "seat", "game_id")
USUAL = {"state": "queued", "tries": 0, **dict.fromkeys(("requested", "again", "refused", "notified"), False)}
LETTER = sa.table(
    "letter",
    *map(sa.column, ("kind", "reason", "dedupe", "message_id", "thread_id", "turns", "evening_id", *SEAT, *USUAL)),
    sa.column("next_at", UTCDateTime()),
    sa.column("created_at", UTCDateTime()),
)


def upgrade() -> None:
    _call_off(op.get_bind(), datetime.now(UTC))
    unsent = "kind LIKE 'evening_%' AND state IN ('queued', 'withheld')"
    op.execute(f"UPDATE letter SET state = 'superseded', next_at = NULL WHERE {unsent}")
    op.execute("UPDATE letter SET kind = 'proposed' WHERE kind LIKE 'evening_%'")
    with op.batch_alter_table("letter") as letter:
        letter.drop_column("evening_id")
    op.drop_column("card_table", "evening_changes")
    op.drop_table("evening")


def _call_off(connection: sa.Connection, now: datetime) -> None:
    """Queues a mail to each player to whom one about the hour of an evening that is agreed on has been queued."""
    told = sa.select(LETTER, GAME.c.turns.label("of_game")).where(
        LETTER.c.kind == "evening_agreed",
        *(LETTER.c.evening_id == EVENING.c.id, EVENING.c.state == "agreed", GAME.c.id == LETTER.c.game_id),
    )
    for row in connection.execute(told).mappings().all():
        domain = row["message_id"].strip("<>").partition("@")[2]
        connection.execute(
            LETTER.insert().values(
                **{name: row[name] for name in SEAT},
                **USUAL,
                kind="answer",
                reason="evening",
                dedupe=f"answer evening {row['evening_id']} {row['player_id']}",
                message_id=f"<{secrets.token_hex(16)}@{domain}>",
                thread_id=row["thread_id"] or row["message_id"],
                turns=row["of_game"],
                next_at=now,
                created_at=now,
            )
        )
