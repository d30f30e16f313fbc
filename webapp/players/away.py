"""Sets a player whom no mail reaches as away at every table, so that no table waits for them."""

from datetime import datetime

from sqlmodel import select

from hearts.seats import Seat
from webapp import seat_transfer, service
from webapp.core.runtime import Runtime
from webapp.games import store
from webapp.games.rows import lock_players, lock_tables
from webapp.games.stand_in import is_lent
from webapp.models import GameRow, GameState, SeatRow
from webapp.outbox.about_tables import SeatGiven


def stop_waiting_for(runtime: Runtime, player_id: int, now: datetime) -> None:
    """Sets the player as away at all their tables; a robot plays their open turns. One transaction for each table."""
    with runtime.database.reading() as session:
        seats = session.exec(select(SeatRow.table_id, SeatRow.seat).where(SeatRow.player_id == player_id)).all()
    for table_id, number in seats:
        with runtime.database.writing() as session:
            lock_tables(session, [table_id])
            running = select(GameRow).where(GameRow.table_id == table_id, GameRow.state == GameState.PLAYING)
            game = session.exec(running.with_for_update(key_share=True)).first()
            seat = session.get_one(SeatRow, (table_id, number), populate_existing=True)
            if seat.player_id != player_id:  # somebody else has got the seat meanwhile
                continue
            seat.away = True
            if game is not None and is_lent(seat):
                stored = store.load(session, game.id, lock=True)
                lock_players(session, stored.seats)
                seat_transfer.give_back_from_absent(session, runtime, stored, now, SeatGiven.GIVEN_BACK)
            if game is not None:
                service.preferences_changed(session, runtime, game, Seat(number), was_away=False, now=now)
        if game is not None:
            service.ring(runtime, game, now)
