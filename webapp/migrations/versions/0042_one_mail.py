"""There is one mail about turns, of what waits when it goes, and one setting of three values for it

What the older kinds have asked stands in `asked`, so that answers to them count; what was not sent is left to the next
look, at once for all who play. A digest names its first question, as the new mail does; the letters in it stay, since
their addresses are in it.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0042"
down_revision = "0041"

QUESTIONS = ("pass", "turn", "moon")
OLD = (*QUESTIONS, "reminder", "vacation", "played_for_you", "digest")
REASONS = {"reminder": "call", "vacation": "missed", "played_for_you": "missed"}
UNSENT = ("queued", "held")
NAMES = ("table_id", "seat", "game_id", "hand", "about", "turns")  # of a decision, in its letter's row
LETTER = sa.table(
    "letter",
    *(sa.column(name) for name in ("id", "kind", "reason", "state", "digest_id", *NAMES)),
    sa.column("next_at", UTCDateTime()),
    sa.column("asked", sa.JSON(none_as_null=True)),
)
PLAYER = sa.table("player", sa.column("id"), sa.column("turns_at", UTCDateTime()))


def upgrade() -> None:
    op.add_column("player", sa.Column("turns_at", UTCDateTime(), nullable=True))
    op.add_column("letter", sa.Column("asked", sa.JSON))
    _convert_letters()
    op.execute("UPDATE player SET frequency = 'every' WHERE frequency IN ('twice', 'bundled')")
    playing = "id IN (SELECT seat.player_id FROM seat JOIN game USING (table_id) WHERE game.state = 'playing')"
    op.execute(PLAYER.update().where(sa.text(playing)).values(turns_at=datetime.now(UTC)))
    op.drop_index("ix_letter_waiting", "letter")
    _index("ix_letter_waiting", "letter", "created_at", "state = 'queued' AND kind = 'turns'")
    op.drop_index("ix_letter_player_id", "letter")
    op.create_index("ix_letter_player", "letter", ["player_id", "kind", "sent_at"])
    _index("ix_player_turns_at", "player", "turns_at", "turns_at IS NOT NULL")
    op.drop_column("letter", "digest_id")
    op.drop_column("player", "reminders")
    op.drop_column("game", "remind_at")
    for clocks in ("game", "hand_clock"):
        op.drop_column(clocks, "reminders")


def _index(name: str, table: str, column: str, rows: str) -> None:
    op.create_index(name, table, [column], postgresql_where=sa.text(rows), sqlite_where=sa.text(rows))


def _convert_letters() -> None:
    connection, column = op.get_bind(), LETTER.c
    waiting = LETTER.update().where(column.state.in_(UNSENT), column.kind.in_(OLD))
    connection.execute(waiting.values(state="superseded", next_at=None))
    held = LETTER.update().where(column.state == "held")  # score sheets, which go by themselves
    connection.execute(held.values(state="queued", next_at=datetime.now(UTC)))
    connection.execute(LETTER.update().where(column.state == "bundled").values(state="superseded"))
    rows = connection.execute(sa.select(LETTER).where(column.kind.in_(OLD)).order_by(column.id)).mappings().all()
    parts: dict[int, list[Any]] = {}
    for row in rows:
        if row["digest_id"] is not None and row["kind"] in QUESTIONS:
            parts.setdefault(row["digest_id"], []).append(row)
    for row in rows:
        is_digest = row["kind"] == "digest"
        asked = _first(row["about"], parts.get(row["id"], ())) if is_digest else [row]
        values = {name: asked[0][name] if asked else None for name in NAMES} if is_digest else {}
        if row["reason"] == "ahead":  # who was asked before their turn is asked at it
            values["state"] = "superseded"
        reason = row["reason"] if row["reason"] == "nudge" else REASONS.get(row["kind"], "next")
        keys = [[one["game_id"], one["seat"], one["hand"], one["about"]] for one in asked]
        changed = LETTER.update().where(column.id == row["id"])
        connection.execute(changed.values(kind="turns", reason=reason, asked=keys, **values))


def _first(about: str | None, parts: Iterable[Any]) -> list[Any]:
    """The questions of a digest, that first which its `about` names: the answer to it is about that."""
    return sorted(parts, key=lambda part: (str(part["id"]) != about, part["id"]))
