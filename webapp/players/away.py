"""A player is away, and a robot or a friend plays for them; and they are back, by a tap or at a date.

Each change is one transaction unless its function says otherwise, and is idempotent. None restarts a deadline
(`games.clock.deadline`). Whether a player gets mail is another matter, which nothing here changes.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from sqlmodel import Session, col, select

from hearts.seats import Seat
from webapp.core.database import TRIED_AGAIN_AFTER, one_by_one
from webapp.core.runtime import Runtime
from webapp.core.say import Refused, say
from webapp.forms.opening import NewSeat
from webapp.games.clock import vacation
from webapp.games.clock.hours import local_hour
from webapp.games.clock.presence import note_seen
from webapp.games.record import changing
from webapp.games.record.changing import Transaction
from webapp.games.record.rows import table_seats
from webapp.games.record.seats import (
    clear_offer,
    is_lent,
    is_offered,
    is_offered_by_host,
    is_over,
    is_stand_in_asked,
    mark_back,
    owner_name,
)
from webapp.models import GameRow, LetterKind, PlayerRow, SeatRow, TableRow, TableState
from webapp.outbox import about_accounts, about_tables
from webapp.outbox.about_tables import SeatGiven
from webapp.play import course, seat_transfer
from webapp.players.own_seats import SEATED, change_seats, seats_of
from webapp.tables import offers, seating

# A player who is away names a friend who plays for them, and takes the seat back.
# The friend is invited by mail, accepts as any invited player does (`seating.accept`), and has the seat at once, since
# its player has lent it. Until then a robot plays. `seat_transfer` says when else the seat returns.


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
            raise Refused(say("That is your own address. Enter the address of a friend."))
        seating.check_name(friend.name, [other for other in seats if other is not seat])
        game = transaction.running(table_id)
        assert game is not None, "a seat is lent during a game"
        spared = seat.vacation
        vacation.end_vacation(seat, note_seen(session, player_id, now), now)
        if seat.vacation != spared:  # the days that they keep have moved no deadline
            course.hours_changed(game, Seat(seat.seat))
        seat.away_until = until
        if not (is_stand_in_asked(seat) and is_offered(seat, invited.player_id or 0)):
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
        raise Refused(say("No game is played at this table just now."))
    if is_lent(seat):
        raise Refused(say("You play for {name} here. Give the seat back if you can't.", name=owner_name(seat)))
    if is_offered_by_host(seat):
        raise Refused(
            say(
                "The host has offered your seat to {name}, so nobody else can play for you.",
                name=seat.offered_name,
            )
        )


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
    is_signed_in: bool = True,
) -> None:
    """Sets the player as away at these tables, to the end of the day `until` or (None) until they are back.

    A robot plays for them at once. A seat that they play for somebody else goes back. This ends what they have arranged
    there before. A mail tells a player who is not signed in, since a forwarded mail has its reader's links.
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
            vacation.end_vacation(seat, player, now)
            seat.away, seat.away_until = True, ends_at(player, until)
        if not is_signed_in:
            about_accounts.queue_gone_away(session, runtime, player, now)


def come_back(runtime: Runtime, player_id: int, now: datetime, table_id: int | None = None) -> None:
    """Sets the player as back at that table, or (None) at all tables.

    They get back the seats that they have lent, one transaction for each. They are asked for an open turn. Raises
    LinkInvalid if there is no such player.
    """
    take_back(runtime, player_id, now, table_id)
    with change_seats(runtime, player_id, now, table_id) as (session, seats):
        _bring_back(session, player_id, seats, now)
    # A friend may have said yes in between: nobody has asked them any more from here on.
    take_back(runtime, player_id, now, table_id)


def end_due(runtime: Runtime, now: datetime) -> None:
    """Sets every player as back at the tables at which they were away until now. One transaction for each seat."""
    with runtime.database.reading() as session:
        found = {(seat.table_id, seat.seat): seat.stands_in_for or seat.player_id for seat in due(session, now)}

    def end(place: tuple[int, int]) -> None:
        table_id, player_id = place[0], found[place]
        assert player_id is not None, "a robot is never away"
        take_back(runtime, player_id, now, table_id, is_due=True)
        with change_seats(runtime, player_id, now, table_id, is_by_player=False) as (session, seats):
            _bring_back(session, player_id, [seat for seat in seats if is_over(seat, now)], now)

    def put_off(place: tuple[int, int]) -> None:
        with runtime.database.writing() as session:
            session.get_one(SeatRow, place).away_until = now + TRIED_AGAIN_AFTER

    one_by_one("seat", found, end, put_off)


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

    def stop(place: tuple[int, int]) -> None:
        table_id, number = place
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

    one_by_one("seat", [*seats], stop)


# Removes a player's holidays, on which their time stands still at all their tables but live ones; moves the deadlines
# that they have, and their reminders, after a change of their days off.


def move_deadlines(transaction: Transaction, player_id: int, games: Iterable[GameRow]) -> None:
    """Moves the deadlines that the player has in `games`, all their running ones, after a change of their days off."""
    transaction.session.flush()
    seats = {row.table_id: Seat(row.seat) for row in seats_of(transaction.session, player_id, None)}
    for game in games:
        course.hours_changed(transaction.game(game.id), seats[game.table_id])
