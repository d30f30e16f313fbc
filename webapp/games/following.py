"""What of a table has changed: as little as tells a page that follows it when to show itself anew.

Nothing here folds a game or knows a card: everybody who is there asks for it every second or two.
"""

import json
import zlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from sqlmodel import Session, col, func, select

from webapp.games import clock
from webapp.games.presence import is_present
from webapp.models import GameRow, OfferState, SeatRow, TableRow, TalkRow

EVERY: Final = 3000  # milliseconds between two looks
EVERY_LIVE: Final = 1000  # where everybody is expected to be there


def news(session: Session, table_id: int, chairs: Sequence[SeatRow], reader: int, now: datetime) -> dict[str, Any]:
    """What there is to know of the table for the player of the seat `reader`, as JSON; `chairs` are its seats.

    `version` differs whenever a page of hers would. `left` is how many seconds whoever is awaited still has.
    """
    table, game = session.exec(
        select(TableRow, GameRow)
        .select_from(TableRow)
        .outerjoin(GameRow, col(GameRow.table_id) == TableRow.id)
        .where(TableRow.id == table_id)
        .order_by(col(GameRow.number).desc())
        .limit(1)
    ).one()
    return news_of(session, table, game, chairs, reader, now)


def news_of(
    session: Session, table: TableRow, game: GameRow | None, chairs: Sequence[SeatRow], reader: int, now: datetime
) -> dict[str, Any]:
    """The same of rows that are loaded already; `game` is the newest of the table, if there is one."""
    due_at = game.due_at if game else None
    told = {
        "game": game and [game.number, game.turns, game.state],
        "table": [table.state, table.talk, table.paused_at is not None],
        "due": due_at and due_at.isoformat(),
        "said": session.exec(select(func.max(TalkRow.id)).where(TalkRow.table_id == table.id)).one(),
        "chairs": [[chair.name, chair.state, chair.away, _joins(chair)] for chair in chairs],
        "offer": [[chair.offered_name, chair.offer_state] for chair in chairs if chair.seat == reader],
        "here": [chair.seat for chair in chairs if chair.seat != reader and is_present(chair, now)],
    }
    version = f"{zlib.crc32(json.dumps(told).encode()):x}"
    return {**told, "version": version, "left": (due_at - now).total_seconds() if due_at else None}


def _joins(chair: SeatRow) -> str | None:
    """Who has the seat once the hand being played is over, where that is somebody else."""
    return chair.offered_name if chair.offer_state is OfferState.ACCEPTED else None


def is_live(table: TableRow) -> bool:
    """Whether the players of the table are expected to be there, and the next change comes within a minute or so."""
    return clock.is_live(table.pass_time) or clock.is_live(table.play_time)
