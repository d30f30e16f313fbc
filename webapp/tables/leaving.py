"""A player leaves all tables for good: a robot gets their seats at once, and invitations are declined.

Each table is one transaction, by the paths by which a host gives a seat away and a guest declines. If the process ends
in between, leaving once more does the rest.
"""

from contextlib import suppress
from datetime import datetime

from sqlmodel import Session, col, or_, select

from webapp.core.database import one_by_one
from webapp.core.runtime import Runtime
from webapp.core.tokens import InvitationLink, LinkExpired
from webapp.games.record.changing import Transaction
from webapp.games.record.rows import table_seats
from webapp.games.record.seats import is_lent
from webapp.models import LetterKind, PlayerRow, SeatRow, SeatState, TableRow, TableState
from webapp.outbox import about_tables
from webapp.outbox.about_tables import SeatGiven
from webapp.play import course
from webapp.tables import offers, seating
from webapp.tables.seating import SeatGone


def leave_all(runtime: Runtime, player: PlayerRow, now: datetime) -> None:
    """Makes the player leave every table that is not over. Idempotent.

    At a table that they host and that has begun they stay the host, and keep their seat as one who is away: a robot
    plays it at once. So does the owner of a seat that a friend plays: the friend plays on. A table that they host and
    that has not begun closes. The player gets no mail about any of this.
    """
    is_invited = (col(SeatRow.player_id) == player.id) & (col(SeatRow.state) == SeatState.INVITED)
    is_offered = col(SeatRow.offered_to) == player.id
    with runtime.database.reading() as session:
        seats = select(SeatRow).join(TableRow).where(TableRow.state != TableState.OVER)
        found = session.exec(seats.where(or_(is_invited, is_offered)))
        invited = [(seat.table_id, seat.seat) for seat in found]
        tables = select(SeatRow.table_id).join(TableRow).where(TableRow.state != TableState.OVER)
        seated = sorted(session.exec(tables.where(SeatRow.player_id == player.id)))

    def decline(place: tuple[int, int]) -> None:
        with suppress(SeatGone, LinkExpired):
            seating.decline(runtime, InvitationLink(*place, player.id, player.links), now)

    one_by_one("seat", invited, decline)
    one_by_one("table", seated, lambda table_id: _leave(runtime, table_id, player.id, now))


def _leave(runtime: Runtime, table_id: int, player_id: int, now: datetime) -> None:
    """Makes the player leave one table, in a transaction of its own."""
    with seating.change_table(runtime, table_id, now) as (transaction, table):
        session = transaction.session
        seats = table_seats(session, table_id)
        for seat in (one for one in seats if one.player_id == player_id):
            if table.state is TableState.PLAYING:
                _leave_game(transaction, table, seat)
            elif table.host_id == player_id:
                _close(session, runtime, table, now)
            else:
                _decline(session, runtime, seat, now)


def _leave_game(transaction: Transaction, table: TableRow, seat: SeatRow) -> None:
    """Gives the seat to a robot, or back to the owner for whom the player plays; a host's is a robot's to play only."""
    if table.host_id == seat.player_id:
        seat.away, seat.away_until, seat.mails = True, None, False
        offers.played_by_robot(transaction, seat)
    elif is_lent(seat):
        offers.return_to_absent(transaction, seat)
    else:
        course.give_to_robot(transaction, seat, SeatGiven.GIVEN_BACK)


def _close(session: Session, runtime: Runtime, table: TableRow, now: datetime) -> None:
    """Closes a table that has not begun, and tells those who have agreed to play, as when its host declines a game."""
    host, *others = table_seats(session, table.id)
    table.state = TableState.OVER
    number = seating.next_number(session, table.id)
    for seat in (one for one in others if one.state is SeatState.ACCEPTED and one.player_id is not None):
        about_tables.queue_about_table(session, runtime, LetterKind.DECLINED, seat, now, about=host.name, number=number)


def _decline(session: Session, runtime: Runtime, seat: SeatRow, now: datetime) -> None:
    """Frees the seat of a player who had agreed to play, and tells the host, as when a guest declines."""
    if seat.state is not SeatState.ACCEPTED:
        return
    seat.state = SeatState.DECLINED
    host, number = table_seats(session, seat.table_id)[0], seating.next_number(session, seat.table_id)
    about_tables.queue_about_table(session, runtime, LetterKind.DECLINED, host, now, about=seat.name, number=number)
