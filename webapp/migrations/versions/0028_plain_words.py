"""Plain words and plain games: columns and states by today's names, and a game as its turn rows alone

Turns of packed games are rows again. A card that lies face down becomes the next turn of its game, which is due at
once: a worker then goes on with it. Limits of connections are the relay's.
"""

import json
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0028"
down_revision = "0027"

PLAYING = "state = 'playing'"
PACKED = sa.table("packed_game", sa.column("game_id", sa.Integer), sa.column("turns", sa.LargeBinary))
GAME = sa.table(
    "game",
    sa.column("id", sa.Integer),
    sa.column("turns", sa.Integer),
    sa.column("at_once", sa.Integer),
    sa.column("due_at", UTCDateTime()),
    sa.column("wake_at", UTCDateTime()),
    sa.column("face_down", sa.JSON(none_as_null=True)),
)
CLOCK = sa.table(
    "hand_clock",
    sa.column("game_id", sa.Integer),
    sa.column("hand", sa.Integer),
    sa.column("due_at", UTCDateTime()),
)
TURN = sa.table(
    "turn",
    sa.column("game_id", sa.Integer),
    sa.column("number", sa.Integer),
    sa.column("turn", sa.JSON),
    sa.column("hand", sa.Integer),
    sa.column("way", sa.String),
    sa.column("choice", sa.JSON(none_as_null=True)),
    sa.column("at", UTCDateTime()),
)


def upgrade() -> None:
    connection = op.get_bind()
    unpack_games(connection)
    show_cards(connection, datetime.now(UTC))
    op.drop_table("packed_game")
    op.drop_table("connection")
    rename_words()


def unpack_games(connection: sa.Connection) -> None:
    """Writes a row for each turn of each packed game."""
    for game_id in connection.execute(sa.select(PACKED.c.game_id)).scalars().all():
        data = connection.execute(sa.select(PACKED.c.turns).where(PACKED.c.game_id == game_id)).scalar_one()
        connection.execute(TURN.insert(), list(_rows_of(game_id, data)))


def _rows_of(game_id: int, data: bytes) -> Iterator[dict[str, Any]]:
    for number, (turn, way, choice, hand, at) in enumerate(json.loads(zlib.decompress(data))["turns"], 1):
        about = {"turn": turn, "way": way, "choice": choice, "hand": hand, "at": datetime.fromisoformat(at)}
        yield {"game_id": game_id, "number": number, **about}


def show_cards(connection: sa.Connection, now: datetime) -> None:
    """Appends each card that lies face down as the next turn of its game, and makes the game due."""
    hiding = sa.select(GAME).where(GAME.c.face_down.is_not(None), sa.text(PLAYING))
    for game in connection.execute(hiding).all():
        for number, (hand, kept) in enumerate(game.face_down.items(), game.turns + 1):
            about = {"turn": kept["turn"], "way": kept["way"], "choice": kept["choice"], "at": now}
            of_hand = int(hand) if game.at_once > 1 else None
            connection.execute(TURN.insert().values(game_id=game.id, number=number, hand=of_hand, **about))
            of_game = CLOCK.update().where(CLOCK.c.game_id == game.id, CLOCK.c.hand == int(hand))
            connection.execute(of_game.values(due_at=None))
        turns = game.turns + len(game.face_down)
        connection.execute(GAME.update().where(GAME.c.id == game.id).values(turns=turns, due_at=None, wake_at=now))


def rename_words() -> None:
    """Renames columns and the state of queued letters, and drops the columns that nothing reads."""
    with op.batch_alter_table("card_table") as table:
        table.drop_column("hides_speed")
    with op.batch_alter_table("game") as game:
        game.drop_column("checkpoint")
        game.drop_column("face_down")
        game.alter_column("rings", new_column_name="claims", existing_type=sa.Integer, existing_nullable=False)
    with op.batch_alter_table("turn") as turn:
        turn.alter_column("way", new_column_name="source", existing_type=sa.String(20), existing_nullable=False)
    for name in ("ix_letter_next_at", "ix_letter_waiting"):
        op.drop_index(name, "letter")
    op.execute("UPDATE letter SET state = 'queued' WHERE state = 'owed'")
    with op.batch_alter_table("letter") as letter:
        letter.alter_column("told_by", new_column_name="digest_id", existing_type=sa.Integer)
        letter.alter_column("told_at", new_column_name="notified_at", existing_type=sa.DateTime(timezone=True))
    _create_index("ix_letter_next_at", "next_at", "state = 'queued'")
    _create_index("ix_letter_waiting", "created_at", "state = 'queued' AND kind IN ('pass', 'turn', 'moon')")


def _create_index(name: str, column: str, where: str) -> None:
    op.create_index(name, "letter", [column], postgresql_where=sa.text(where), sqlite_where=sa.text(where))
