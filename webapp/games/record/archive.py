"""Writes the records of finished games to files, which an operator can keep longer than the database."""

from datetime import datetime
from pathlib import Path

from sqlmodel import Session, col, select

from hearts.record import record_text
from webapp.core.data_folder import make_file, make_folder
from webapp.core.runtime import Runtime
from webapp.games.record import store
from webapp.models import GameRow, GameState, TableRow


def write(runtime: Runtime, folder: Path, before: datetime) -> int:
    """Writes a record of each game that ended before that moment, unless its file is there. Returns how many it wrote.

    The files, which only their owner can read, are named by table and game: `7F3KM-1.json`. Raises OSError.
    """
    make_folder(folder)
    with runtime.database.reading() as session:
        found = [(game_id, folder / f"{code}-{number}.json") for game_id, code, number in _ended(session, before)]
    missing = [(game_id, file) for game_id, file in found if not file.exists()]
    for game_id, file in missing:
        with runtime.database.reading() as session:
            make_file(file, record_text(store.load(session, game_id).record()))
    return len(missing)


def _ended(session: Session, before: datetime) -> list[tuple[int, str, int]]:
    over = select(GameRow.id, TableRow.code, GameRow.number).join(TableRow)
    over = over.where(GameRow.state == GameState.OVER, col(GameRow.ended_at) < before)
    return [(game_id or 0, code, number) for game_id, code, number in session.exec(over.order_by(col(GameRow.id)))]
