"""A player who is away names a friend who plays for them, and takes the seat back.

The friend is invited by mail, accepts as any invited player does (`seating.accept`), and has the seat at once, since
its player has lent it. Until then a robot plays. `seat_transfer` says when else the seat returns.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlmodel import Session, col, select

from hearts.seats import Seat
from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.forms.opening import NewSeat
from webapp.games.clock import vacation
from webapp.games.clock.presence import note_seen
from webapp.games.record.rows import table_seats
from webapp.games.record.stand_in import is_lent, is_offered_by_host, is_over, is_stand_in_asked, owner_name
from webapp.models import LetterKind, SeatRow, TableRow, TableState
from webapp.outbox import about_tables
from webapp.play import course
from webapp.tables import offers, seating


def ask(
    runtime: Runtime, player_id: int, table_id: int, friend: NewSeat, now: datetime, until: datetime | None = None
) -> None:
    """Sets the player as away at the table, and invites `friend` to play for them until they are back, at the latest at
    the time `until`.

    Another friend who was asked before is not asked any more; asking the same one twice is the same as once. Reveals
    neither who `friend` is nor whether they sit at the table. Raises SeatGone if the player has no seat there, Refused
    if they cannot lend it, and LinkInvalid if there is no such table.
    """
    with seating.change_table(runtime, table_id, now) as (transaction, _):
        session = transaction.session
        seats = table_seats(session, table_id)
        seat = next((seat for seat in seats if seat.player_id == player_id), None)
        if seat is None:
            raise seating.SeatGone
        _check(session, seat)
        invited = seating.seat_for(session, table_id, seat.seat, friend, now)
        if invited.player_id in (None, player_id):
            raise Refused("That is your own address. Enter the address of a friend.")
        seating.check_name(friend.name, [other for other in seats if other is not seat])
        game = transaction.running(table_id)
        assert game is not None, "a seat is lent during a game"
        spared = seat.vacation
        vacation.end_vacation(seat, note_seen(session, player_id, now), now)
        if seat.vacation != spared:  # the days that they keep have moved no deadline
            course.days_off_changed(game, Seat(seat.seat))
        seat.away_until = until
        if not (is_stand_in_asked(seat) and offers.is_offered(seat, invited.player_id or 0)):
            offers.ask_stand_in(seat, invited.player_id or 0, friend.name)
            occasion = f"stand-in {now.isoformat()}"
            about_tables.queue_about_table(session, runtime, LetterKind.INVITATION, invited, now, occasion=occasion)
        if not seat.away:
            seat.away = True
            course.preferences_changed(game, Seat(seat.seat), was_away=False)


def ask_at(
    runtime: Runtime,
    player_id: int,
    table_ids: Sequence[int],
    friend: NewSeat,
    now: datetime,
    until: datetime | None = None,
) -> None:
    """Does what `ask` does at each of the tables, one transaction for each, and raises what it raises.

    Checks the friend's name at all tables before it changes one.
    """
    with runtime.database.reading() as session:
        for table_id in table_ids:
            others = [seat for seat in table_seats(session, table_id) if seat.player_id != player_id]
            seating.check_name(friend.name, others)
    for table_id in table_ids:
        ask(runtime, player_id, table_id, friend, now, until)


def may_ask(table: TableRow, seat: SeatRow) -> bool:
    """Whether the player of the seat may ask a friend to play for them."""
    return table.state is TableState.PLAYING and not is_lent(seat) and not is_offered_by_host(seat)


def take_back(
    runtime: Runtime, player_id: int, now: datetime, table_id: int | None = None, *, is_due: bool = False
) -> None:
    """Gives the player, who is back, the seat that they have lent at that table, or (None) all such seats.

    With `is_due`, only a seat that they have lent until now; the player has then done nothing themselves. One
    transaction for each table. Does nothing where nobody plays for them.
    """
    for one in _tables_of_lent(runtime, player_id, table_id):
        with seating.change_table(runtime, one, now, joining=[player_id]) as (transaction, _):
            for seat in lent_by(transaction.session, player_id, one):
                if is_due and not is_over(seat, now):
                    continue
                if not is_due:
                    note_seen(transaction.session, player_id, now)
                offers.take_back(transaction, seat)


def mute(runtime: Runtime, player_id: int, table_id: int | None, now: datetime, *, mails: bool = False) -> None:
    """The player gets no more mails about the seats that they have lent, at that table or (None) at all; or gets them
    again (`mails`). One transaction for each table.
    """
    for one in _tables_of_lent(runtime, player_id, table_id):
        with seating.change_table(runtime, one, now, joining=[player_id]) as (transaction, _):
            for seat in lent_by(transaction.session, player_id, one):
                seat.lent = seat.lent and replace(seat.lent, mails=mails)


def lent_by(session: Session, player_id: int, table_id: int | None = None) -> Sequence[SeatRow]:
    """The seats of the player that somebody plays for them now, at that table or (None) at all."""
    lent = select(SeatRow).where(SeatRow.stands_in_for == player_id).order_by(col(SeatRow.table_id))
    return session.exec(lent if table_id is None else lent.where(SeatRow.table_id == table_id)).all()


def _tables_of_lent(runtime: Runtime, player_id: int, table_id: int | None) -> list[int]:
    """The tables at which the player has lent a seat: that one, or (None) all."""
    with runtime.database.reading() as session:
        return [seat.table_id for seat in lent_by(session, player_id, table_id)]


def _check(session: Session, seat: SeatRow) -> None:
    """Raises Refused unless the player of the seat may lend it now."""
    if offers.running_game(session, seat.table_id) is None:
        raise Refused("No game is played at this table just now.")
    if is_lent(seat):
        raise Refused(f"You play for {owner_name(seat)} here. Give the seat back if you can't.")
    if is_offered_by_host(seat):
        raise Refused(f"The host has offered your seat to {seat.offered_name}, so nobody else can play for you.")
