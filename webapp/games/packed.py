"""Packs the turns of games that ended long ago: one compressed row for each game, in place of a row for each turn.

Nothing is lost: `turns_of` has all that the turn rows had. Who reads old games through `store` sees no difference.
"""

import json
import logging
import zlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final, NamedTuple

from sqlmodel import Session, col, delete, exists, select

from webapp.core.batches import in_batches
from webapp.core.runtime import Runtime
from webapp.models import GameRow, GameState, PackedRow, TurnRow, TurnSource

log = logging.getLogger(__name__)
AFTER: Final = timedelta(days=30)  # since the end of the game
AT_ONCE: Final = 10  # games in a transaction
FORMAT: Final = 1
_COLUMNS = select(TurnRow.turn, TurnRow.source, TurnRow.choice, TurnRow.hand).add_columns(col(TurnRow.at))
_TURNS = _COLUMNS.order_by(col(TurnRow.number))


class PackedTurn(NamedTuple):
    """A turn row without its key: its number is its place."""

    turn: Mapping[str, Any]
    source: TurnSource
    choice: Mapping[str, Any] | None
    hand: int | None
    at: datetime


def pack_old(runtime: Runtime, now: datetime) -> int:
    """Packs the turn rows of all games that have been over for so long. Returns how many games it packed."""
    return in_batches(runtime.database, partial(_games_after, now=now), _pack_all)


def turns_of(session: Session, game_id: int) -> list[PackedTurn]:
    """The turns of a packed game, in order; empty if it is not packed."""
    found = session.exec(select(PackedRow.turns).where(PackedRow.game_id == game_id)).first()
    return [] if found is None else unpacked(found)


def packed(turns: Iterable[PackedTurn]) -> bytes:
    """The turns as compressed JSON; `unpacked` reads them back."""
    rows = [[*one[:-1], one.at.isoformat()] for one in turns]
    return zlib.compress(json.dumps({"format": FORMAT, "turns": rows}, separators=(",", ":")).encode(), 9)


def unpacked(data: bytes) -> list[PackedTurn]:
    """The turns that `packed` wrote. Raises ValueError if another version of the program wrote them."""
    mapping = json.loads(zlib.decompress(data))
    if mapping["format"] != FORMAT:
        raise ValueError(f"packed turns in format {mapping['format']!r}")
    rows = mapping["turns"]
    return [
        PackedTurn(turn, TurnSource(source), choice, hand, datetime.fromisoformat(at))
        for turn, source, choice, hand, at in rows
    ]


def _games_after(session: Session, last: int, *, now: datetime) -> Sequence[int]:
    """The next few games to pack, by id."""
    is_packed = exists().where(col(PackedRow.game_id) == GameRow.id)
    found = select(GameRow.id).where(GameRow.state == GameState.OVER, col(GameRow.ended_at) < now - AFTER, ~is_packed)
    return session.exec(found.where(GameRow.id > last).order_by(col(GameRow.id)).limit(AT_ONCE)).all()


def _pack_all(session: Session, game_ids: Sequence[int]) -> int:
    return sum(_pack(session, game_id) for game_id in game_ids)


def _pack(session: Session, game_id: int) -> bool:
    """Packs the turn rows of a game. Returns whether it did: a game that would lose anything by it stays as it is."""
    row = session.get_one(GameRow, game_id, with_for_update={"key_share": True})
    found = session.connection().execute(_TURNS.where(col(TurnRow.game_id) == game_id))
    turns = [PackedTurn(*one) for one in found]
    if not turns:  # another scheduler has packed it
        return False
    data = packed(turns)
    if len(turns) != row.turns or unpacked(data) != turns:
        log.error("game %d is not packed: it has %d turns of %d", game_id, len(turns), row.turns)
        return False
    session.add(PackedRow(game_id=game_id, turns=data))
    session.exec(delete(TurnRow).where(col(TurnRow.game_id) == game_id, col(TurnRow.number) <= row.turns))
    return True
