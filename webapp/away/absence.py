"""A player is away: a robot or a friend plays for them, or the table waits; and they are back, by a tap or at a date.

Each change is one transaction unless its function says otherwise, and is idempotent. None restarts a deadline
(`games.asked.first_asked`). Whether a player gets mail is another matter, which nothing here changes.
"""

from collections.abc import Collection, Sequence
from datetime import date, datetime, timedelta

from sqlmodel import Session, col, select

from hearts.seats import Seat
from webapp.away import stand_ins
from webapp.core.batches import TRIED_AGAIN_AFTER, one_by_one
from webapp.core.runtime import Runtime
from webapp.games.clock import vacation
from webapp.games.clock.hours import local_hour
from webapp.games.record import changing
from webapp.games.record.stand_in import clear_offer, is_lent, is_over, is_stand_in_asked, mark_back
from webapp.models import PlayerRow, SeatRow, TableRow, TableState
from webapp.outbox import about_accounts
from webapp.outbox.about_tables import SeatGiven
from webapp.play import course, seat_transfer
from webapp.players.own_seats import SEATED, change_seats


def ends_at(player: PlayerRow, until: date | None) -> datetime | None:
    """When a player is back who is away to the end of the day `until`; None if that is not before they say so."""
    return None if until is None else local_hour(until + timedelta(days=1), 0, player.time_zone)


def go_away(
    runtime: Runtime,
    player_id: int,
    table_ids: Collection[int],
    until: date | None,
    now: datetime,
    *,
    waits: bool = False,
    is_signed_in: bool = True,
) -> None:
    """Sets the player as away at these tables, to the end of the day `until` or (None) until they are back.

    A robot plays for them at once. With `waits`, the table waits instead where they have spare days: as long as those
    last, and then their time passes. A seat that they play for somebody else goes back. This ends what they have
    arranged there before. A mail tells a player who is not signed in, since a forwarded mail has its reader's links.
    Raises LinkInvalid if there is no such player.
    """
    with change_seats(runtime, player_id, now) as (session, seats):
        player = session.get_one(PlayerRow, player_id)
        for seat in (one for one in seats if one.table_id in table_ids):
            if is_lent(seat):
                seat.away = True
                continue
            if is_stand_in_asked(seat):
                clear_offer(seat)
            table = session.get_one(TableRow, seat.table_id)
            is_spared = waits and may_wait(table, seat, player, until, now)
            if is_spared:
                vacation.take_days(table, seat, player, until, now)
                seat.missed = 0
            else:
                vacation.end_vacation(seat, player, now)
            seat.away, seat.away_until = not is_spared, ends_at(player, until)
        if not is_signed_in:
            about_accounts.queue_gone_away(session, runtime, player, now)


def may_wait(table: TableRow, seat: SeatRow, player: PlayerRow, until: date | None, now: datetime) -> bool:
    """Whether the table can wait for the player, who is away to the end of the day `until`: a game is played there, and
    they have a spare day left until then.
    """
    days = vacation.next_days(table, seat, player, now) if table.state is TableState.PLAYING else []
    return any(until is None or day <= until for day in days)


def come_back(runtime: Runtime, player_id: int, now: datetime, table_id: int | None = None) -> None:
    """Sets the player as back at that table, or (None) at all tables.

    They get back the seats that they have lent, one transaction for each, and keep the spare days that are left. They
    are asked for an open turn. Raises LinkInvalid if there is no such player.
    """
    stand_ins.take_back(runtime, player_id, now, table_id)
    with change_seats(runtime, player_id, now, table_id) as (session, seats):
        _bring_back(session, player_id, seats, now)
    # A friend may have said yes in between: nobody has asked them any more from here on.
    stand_ins.take_back(runtime, player_id, now, table_id)


def end_due(runtime: Runtime, now: datetime) -> None:
    """Sets every player as back at the tables at which they were away until now. One transaction for each seat."""
    with runtime.database.reading() as session:
        found = {(seat.table_id, seat.seat): seat.stands_in_for or seat.player_id for seat in due(session, now)}

    def end(place: tuple[int, int]) -> None:
        table_id, player_id = place[0], found[place]
        assert player_id is not None, "a robot is never away"
        stand_ins.take_back(runtime, player_id, now, table_id, is_due=True)
        with change_seats(runtime, player_id, now, table_id, is_by_player=False) as (session, seats):
            _bring_back(session, player_id, [seat for seat in seats if is_over(seat, now)], now)

    one_by_one("seat", found, end, lambda place: _put_off(runtime, place, now))


def _put_off(runtime: Runtime, place: tuple[int, int], now: datetime) -> None:
    with runtime.database.writing() as session:
        session.get_one(SeatRow, place).away_until = now + TRIED_AGAIN_AFTER


def due(session: Session, now: datetime, most: int = 100) -> Sequence[SeatRow]:
    """Up to `most` seats whose players, or owners if they are lent, were away until now."""
    until = col(SeatRow.away_until)
    over = select(SeatRow).where(until.is_not(None), until <= now, col(SeatRow.state).in_(SEATED))
    return session.exec(over.order_by(until).limit(most)).all()


def _bring_back(session: Session, player_id: int, seats: Sequence[SeatRow], now: datetime) -> None:
    """Sets the player of these seats as back."""
    player = session.get_one(PlayerRow, player_id)
    for seat in seats:
        mark_back(seat)
        vacation.end_vacation(seat, player, now)


def stop_waiting_for(runtime: Runtime, player_id: int, now: datetime) -> None:
    """Sets a player whom no mail reaches as away at all their tables, so that none waits for them; a robot plays their
    open turns. One transaction for each table.
    """
    with runtime.database.reading() as session:
        seats = session.exec(select(SeatRow.table_id, SeatRow.seat).where(SeatRow.player_id == player_id)).all()
    one_by_one("seat", [*seats], lambda place: _stop_waiting_at(runtime, *place, player_id, now))


def _stop_waiting_at(runtime: Runtime, table_id: int, number: int, player_id: int, now: datetime) -> None:
    with changing.games(runtime, now) as transaction:
        transaction.lock_table(table_id)
        game = transaction.running(table_id)
        seat = transaction.session.get_one(SeatRow, (table_id, number), populate_existing=True)
        if seat.player_id != player_id:  # somebody else has got the seat meanwhile
            return
        seat.away = True
        if not is_lent(seat):
            seat.away_until = None
        if game is not None:
            seat_transfer.give_back_from_absent(game, SeatGiven.GIVEN_BACK)
            course.preferences_changed(game, Seat(number), was_away=False)
