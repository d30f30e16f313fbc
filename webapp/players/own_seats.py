"""A player's seats and their running games, locked as for every change of what the player prefers there."""

from sqlmodel import Session, col, select

from webapp.core.tokens import LinkInvalid
from webapp.games.rows import lock_players, lock_tables
from webapp.models import GameRow, GameState, PlayerRow, SeatRow, SeatState

SEATED = (SeatState.HOST, SeatState.ACCEPTED)


def locked_games(session: Session, player_id: int, table_id: int | None) -> list[GameRow]:
    """Locks the tables, their running games and all players in them, in the lock order of the whole service.

    Returns the games. Raises LinkInvalid if there is no such player.
    """
    table_ids = [row.table_id for row in seats_of(session, player_id, table_id)]
    lock_tables(session, table_ids)
    running = select(GameRow).where(col(GameRow.table_id).in_(table_ids), GameRow.state == GameState.PLAYING)
    games = list(session.exec(running.order_by(col(GameRow.id)).with_for_update(key_share=True)).all())
    tables = {game.table_id for game in games}
    lock_players(session, session.exec(select(SeatRow).where(col(SeatRow.table_id).in_(tables))).all())
    locked_player(session, player_id)
    session.expire_all()  # what was read before the locks may be stale
    return games


def seats_of(session: Session, player_id: int, table_id: int | None) -> list[SeatRow]:
    own = select(SeatRow).where(SeatRow.player_id == player_id, col(SeatRow.state).in_(SEATED))
    own = own if table_id is None else own.where(SeatRow.table_id == table_id)
    return list(session.exec(own.order_by(col(SeatRow.table_id))).all())


def locked_player(session: Session, player_id: int) -> PlayerRow:
    """Locks and returns the player. Raises LinkInvalid if there is none."""
    player = session.get(PlayerRow, player_id, with_for_update={"key_share": True}, populate_existing=True)
    if player is None:
        raise LinkInvalid
    return player
