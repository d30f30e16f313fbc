"""A player's seats and their running games, locked as for every change of what the player prefers there."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from sqlmodel import Session, col, or_, select

from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.core.tokens import LinkInvalid
from webapp.games.clock.presence import note_seen
from webapp.games.record import changing
from webapp.games.record.rows import lock_games
from webapp.games.record.seats import is_lent
from webapp.models import GameRow, PlayerRow, SeatRow, SeatState, TableRow, TableState
from webapp.outbox import letters
from webapp.outbox.about_tables import SeatGiven
from webapp.play import course, seat_transfer

SEATED = (SeatState.HOST, SeatState.ACCEPTED)


@contextmanager
def change_seats(
    runtime: Runtime, player_id: int, now: datetime, table_id: int | None = None, *, is_by_player: bool = True
) -> Iterator[tuple[Session, Sequence[SeatRow]]]:
    """One transaction on the player's seat at a table, or on all their seats (None), which then updates their games.

    Not `is_by_player`: it does not count as an activity of the player's. Raises LinkInvalid if there is no such player.
    """
    with changing.games(runtime, now) as transaction:
        session = transaction.session
        games = locked_games(session, player_id, table_id)
        own = seats_of(session, player_id, table_id)
        before = {row.table_id: (row.away, row.robot_hand, row.mails) for row in own}
        waited = {row.table_id: row.vacation for row in own}
        yield session, own
        given_back = {row.table_id for row in own if is_lent(row) and row.away}
        for game in (game for game in games if game.table_id in given_back):
            seat_transfer.give_back_from_absent(transaction.game(game.id), SeatGiven.GIVEN_BACK)
        if is_by_player:
            note_seen(session, player_id, now)
        letters.supersede_for_muted_seats(session, [row for row in own if not row.mails])
        seats = {row.table_id: row for row in own}
        for game in games:
            if (row := seats.get(game.table_id)) is None:
                continue  # the player had lost the seat by the time it was locked
            was_away, robot_hand, mails = before[game.table_id]
            if (row.away, row.robot_hand, row.mails) != (was_away, robot_hand, mails):
                was_played = was_away or robot_hand is not None
                course.preferences_changed(transaction.game(game.id), Seat(row.seat), was_away=was_played)
            # Spare days that ended as a robot took over count no more when its player is back.
            is_back = was_away and not row.away
            if (row.vacation != waited[game.table_id] or is_back) and row.player_id == player_id:
                course.hours_changed(transaction.game(game.id), Seat(row.seat))


def locked_games(session: Session, player_id: int, table_id: int | None) -> Sequence[GameRow]:
    """Locks the player's tables, the running games there and all players in them. Returns the games.

    Raises LinkInvalid if there is no such player.
    """
    games = lock_games(session, [row.table_id for row in seats_of(session, player_id, table_id)], player_id)
    if session.get(PlayerRow, player_id) is None:
        raise LinkInvalid
    return games


def tables_of(session: Session, player_id: int) -> list[tuple[SeatRow, TableRow]]:
    """The player's seats at tables that are not over, also those that somebody plays for them; newest table first."""
    query = (
        select(SeatRow, TableRow)
        .where(SeatRow.table_id == TableRow.id)
        .where(or_(col(SeatRow.player_id) == player_id, col(SeatRow.stands_in_for) == player_id))
        .where(col(SeatRow.state).in_(SEATED))
        .where(col(TableRow.state).in_((TableState.INVITING, TableState.PLAYING)))
        .order_by(col(TableRow.created_at).desc())
    )
    return list(session.exec(query))


def seats_of(session: Session, player_id: int, table_id: int | None) -> list[SeatRow]:
    own = select(SeatRow).where(SeatRow.player_id == player_id, col(SeatRow.state).in_(SEATED))
    own = own if table_id is None else own.where(SeatRow.table_id == table_id)
    return list(session.exec(own.order_by(col(SeatRow.table_id))).all())
