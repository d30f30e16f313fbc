"""The people at a table: opening it, inviting, accepting and declining, filling a chair.

Nobody is dealt in who has not accepted; the first game begins in the transaction of the last answer.
"""

import secrets
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from hearts.rules import rules_mapping
from webapp import service
from webapp.accounts import address_changes
from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.core.tokens import ConfirmLink, HandOverLink, InvitationLink, LinkInvalid, PlayLink, SeatLink
from webapp.forms.opening import ROBOT_NAMES, Chair, NewTable
from webapp.games.links import check_confirm, check_player, check_seat
from webapp.games.presence import lock_players, note_seen
from webapp.games.store import table_seats
from webapp.models import GameRow, LetterKind, PlayerRow, SeatRow, SeatState, TableRow, TableState
from webapp.outbox import bounces, letters
from webapp.tables import offers

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # none that is easily taken for another
CODE_LENGTH = 5
READY = {SeatState.HOST, SeatState.ACCEPTED, SeatState.ROBOT}
OPEN = {SeatState.INVITED, SeatState.DECLINED, SeatState.OPEN}  # the host may give them to somebody else


def open_table(runtime: Runtime, new: NewTable, now: datetime) -> TableRow:
    """A table that waits for its host to follow the link in her inbox.

    Raises NotInvitable where somebody has asked not to be invited.
    """
    with runtime.database.writing() as session:
        host = player_at(session, new.host_address, new.host_name, now, new.time_zone)
        table = TableRow(
            code=_fresh_code(session),
            host_id=_id(host.id),
            rules=rules_mapping(new.rules),
            pass_seconds=int(new.pass_time.total_seconds()),
            play_seconds=int(new.play_time.total_seconds()),
            robots=new.robots,
            suggestions=new.suggestions,
            talk=new.talk,
            state=TableState.UNCONFIRMED,
            created_at=now,
        )
        session.add(table)
        session.flush()
        seat = SeatRow(table_id=_id(table.id), seat=0, player_id=host.id, name=new.host_name, state=SeatState.HOST)
        session.add(seat)
        for number, chair in enumerate(new.chairs, start=1):
            session.add(seat_for(session, _id(table.id), number, chair, now))
        session.flush()
        letters.queue_about_table(session, runtime, LetterKind.CONFIRM, seat, now)
    runtime.bell.deliver()
    return table


def confirm(runtime: Runtime, link: ConfirmLink, now: datetime) -> TableRow:
    """The host has confirmed: sends the invitations, or begins if everybody else is a robot. Twice is once.

    Raises LinkExpired where the host has ended the link.
    """

    def change(session: Session, table: TableRow) -> None:
        check_confirm(session, link)
        if table.state is not TableState.UNCONFIRMED:
            return
        table.state, table.confirmed_at = TableState.INVITING, now
        bounces.clear(session, note_seen(session, table.host_id, now), now)  # the link came by mail
        host, *others = table_seats(session, link.table_id)
        for seat in (other for other in others if other.state is SeatState.INVITED):
            if session.get_one(PlayerRow, seat.player_id).invitations:
                letters.queue_about_table(session, runtime, LetterKind.INVITATION, seat, now)
            else:  # she has asked not to be invited since the table was opened
                seat.state = SeatState.DECLINED
                letters.queue_about_table(session, runtime, LetterKind.DECLINED, host, now, about=seat.name)

    return change_table(runtime, link.table_id, change, now)


def accept(runtime: Runtime, link: InvitationLink, name: str, time_zone: str, now: datetime) -> TableRow:
    """The invited player takes her seat under `name`; the last one to do so begins the game. Twice is once.

    A chair that is offered to her while somebody else plays on it is hers once the hand being played is over.

    Raises Refused where somebody at the table has that name, SeatGone where the seat is no longer hers to take.
    """

    def change(session: Session, table: TableRow) -> None:
        seat = invited_seat(session, link)
        is_offered = offers.is_offered(seat, link.player_id)
        if offers.is_promised(seat, link.player_id) or (seat.state in READY and not is_offered):
            return
        others = [other for other in table_seats(session, link.table_id) if other.seat != link.seat]
        if any(other.player_id == link.player_id or offers.is_promised(other, link.player_id) for other in others):
            raise SeatGone
        check_name(name, others)
        player = note_seen(session, link.player_id, now)
        player.name, player.time_zone = name, time_zone
        if is_offered:
            offers.accept_offer(session, runtime, seat, name, now)
            return
        seat.name = name
        take_seat(table, seat)

    return change_table(runtime, link.table_id, change, now, joining=[link.player_id])


def decline(runtime: Runtime, link: InvitationLink, now: datetime) -> TableRow:
    """The invited player will not come; the host is told. Twice is once. Raises SeatGone once she has accepted.

    Where the chair was only offered to her, whoever has it keeps it, also if she had accepted and waits for the hand.

    Without its host there is no other game at a table: that closes it, and whoever has agreed is told.
    """

    def change(session: Session, table: TableRow) -> None:
        seat, seats = invited_seat(session, link), table_seats(session, link.table_id)
        if offers.is_offered(seat, link.player_id):
            number, who = next_number(session, link.table_id), seat.offered_name
            offers.decline_offer(seat)
            letters.queue_about_table(session, runtime, LetterKind.DECLINED, seats[0], now, about=who, number=number)
            return
        if seat.state in READY:
            raise SeatGone
        if seat.state is not SeatState.INVITED:
            return
        seat.state = SeatState.DECLINED
        told = seats[:1]
        if link.player_id == table.host_id:
            table.state = TableState.OVER
            told = [other for other in seats if other.state is SeatState.ACCEPTED]
        number = next_number(session, link.table_id)
        for other in told:
            letters.queue_about_table(session, runtime, LetterKind.DECLINED, other, now, about=seat.name, number=number)

    return change_table(runtime, link.table_id, change, now)


def hand_over(runtime: Runtime, link: HandOverLink, now: datetime, *, at_once: bool) -> None:
    """The player of a seat that is offered to somebody hands it over in the middle of the hand, or (not) after all.

    Raises LinkInvalid, SeatLost, and offers.OfferGone.
    """

    def change(session: Session, _: TableRow) -> None:
        offers.hand_over(session, runtime, link, now, at_once=at_once)
        note_seen(session, link.player_id, now)

    change_table(runtime, link.table_id, change, now, joining=[link.player_id])


def refill(runtime: Runtime, link: SeatLink, number: int, chair: Chair | None, now: datetime) -> TableRow:
    """The host gives a chair whose player declined, or has not answered, to somebody else, or (None) to a robot.

    An open chair likewise; and `OPEN_CHAIR` leaves it to anybody, in the lobby.

    Raises SeatGone where it is not free or the link is not the host's, Refused where that person sits here already,
    or has asked not to be invited.
    """

    def change(session: Session, table: TableRow) -> None:
        seats = table_seats(session, link.table_id)
        if link.player_id != table.host_id or not 0 < number < len(seats) or seats[number].state not in OPEN:
            raise SeatGone
        others = [seat for seat in seats if seat.seat != number]
        chair_now = chair or Chair(free_robot_name(others), None)
        if not chair_now.is_open:
            check_name(chair_now.name, others)
        fresh = seat_for(session, link.table_id, number, chair_now, now)
        if fresh.player_id is not None and fresh.player_id in {seat.player_id for seat in seats}:
            raise Refused("This address sits at the table already, or has declined.")
        seat = seats[number]
        seat.player_id, seat.name, seat.state = fresh.player_id, fresh.name, fresh.state
        seat.away, seat.mails, seat.missed = False, True, 0
        if seat.state is SeatState.INVITED:
            letters.queue_about_table(session, runtime, LetterKind.INVITATION, seat, now)
        if seat.state is SeatState.OPEN:
            table.confirmed_at = now  # from when on it stands in the lobby

    return change_table(runtime, link.table_id, change, now)


def fill_open(runtime: Runtime, link: SeatLink, now: datetime) -> TableRow:
    """The host gives every open chair to a robot. Twice is once. Raises SeatGone where the link is not the host's."""

    def change(session: Session, table: TableRow) -> None:
        if link.player_id != table.host_id:
            raise SeatGone
        seats = table_seats(session, link.table_id)
        for seat in (seat for seat in seats if seat.state is SeatState.OPEN):
            seat.name, seat.state = free_robot_name(seats), SeatState.ROBOT

    return change_table(runtime, link.table_id, change, now)


def check_name(name: str, others: Iterable[SeatRow]) -> None:
    """Raises Refused where one of the others bears that name, or somebody to whom one of their seats is offered."""
    if name.casefold() in {known.casefold() for seat in others for known in _names_at(seat)}:
        raise Refused("Somebody at this table has this name already; please choose another.")


def take_seat(table: TableRow, seat: SeatRow) -> None:
    """The player of `seat` will play the next game: she is back, whatever became of her in the last one."""
    seat.state = SeatState.HOST if seat.player_id == table.host_id else SeatState.ACCEPTED
    seat.away, seat.mails, seat.missed = False, True, 0


class NotInvitable(Refused):
    """Whoever is to have the chair of that number has asked not to be invited."""

    def __init__(self, seat: int) -> None:
        super().__init__("Whoever has this address does not want invitations.")
        self.seat = seat


class SeatGone(Exception):
    """The chair is not this person's to take or to give (any more)."""


def invited_seat(session: Session, link: InvitationLink) -> SeatRow:
    """The seat that the invitation is for. Raises SeatGone where it is another's, and not offered to her either.

    Raises LinkExpired where its player has ended the link.
    """
    seat = session.get(SeatRow, (link.table_id, link.seat))
    if seat is None or link.player_id not in (seat.player_id, seat.offered_to):
        raise SeatGone
    check_player(link, session.get(PlayerRow, link.player_id))
    return seat


def own_seat(session: Session, link: SeatLink | PlayLink) -> SeatRow:
    """The seat of the link. Raises SeatLost where another player has it, LinkExpired where the link was ended."""
    return check_seat(link, session.get(SeatRow, (link.table_id, link.seat)))


def table_of_code(session: Session, code: str) -> TableRow | None:
    """The table that players know by that code."""
    if not set(code) <= set(CODE_LETTERS):  # no code, and perhaps nothing that a database would look for
        return None
    return session.exec(select(TableRow).where(TableRow.code == code)).first()


def current_game(session: Session, table_id: int) -> GameRow | None:
    """The game being played, or the last one; None before the first."""
    query = select(GameRow).where(GameRow.table_id == table_id).order_by(col(GameRow.number).desc()).limit(1)
    return session.exec(query).first()


def game(session: Session, table_id: int, number: int) -> GameRow | None:
    """The table's game of that number."""
    return session.exec(select(GameRow).where(GameRow.table_id == table_id, GameRow.number == number)).first()


def next_number(session: Session, table_id: int) -> int:
    """The number of the game that the table would play next."""
    game = current_game(session, table_id)
    return game.number + 1 if game else 1


def player_at(session: Session, address: str, name: str, now: datetime, time_zone: str = "UTC") -> PlayerRow:
    """The player of that address, whatever others call her; a new one where there is none.

    Whoever has just moved away from the address counts as having it still: an intruder who moved them must not be able
    to give it to somebody new, so that the games could not be taken back.
    """
    known = select(PlayerRow).where(PlayerRow.address == address)
    player = session.exec(known).first() or address_changes.player_who_left(session, address, now)
    if player is not None:
        return player
    player = PlayerRow(address=address, name=name, time_zone=time_zone, created_at=now)
    try:
        with session.begin_nested():
            session.add(player)
    except IntegrityError:  # a second click, or somebody who invites her too, was faster
        return session.exec(known).one()
    return player


def free_robot_name(others: Sequence[SeatRow]) -> str:
    taken = {known.casefold() for seat in others for known in _names_at(seat)}
    return next(name for name in ROBOT_NAMES if name.casefold() not in taken)


def change_table(
    runtime: Runtime,
    table_id: int,
    change: Callable[[Session, TableRow], None],
    now: datetime,
    joining: Collection[int] = (),
) -> TableRow:
    """One transaction on a table: `change`, then the next game if everybody is ready. Raises LinkInvalid: no table.

    `joining` are players who have no seat there yet, and will by `change`.
    """
    with runtime.database.writing() as session:
        # Without the key, so that rows which only name the table need not wait.
        table = session.get(TableRow, table_id, with_for_update={"key_share": True})
        if table is None:
            raise LinkInvalid
        lock_players(session, table_seats(session, table_id), joining)
        change(session, table)
        if table.state is TableState.INVITING and all(seat.state in READY for seat in table_seats(session, table_id)):
            table.state = TableState.PLAYING
            service.start_game(session, runtime, table, now)
        game = offers.running_game(session, table_id)
    if game is None:
        runtime.bell.deliver()
    else:
        service.ring(runtime, game, now)
    return table


def seat_for(session: Session, table_id: int, number: int, chair: Chair, now: datetime) -> SeatRow:
    """A row for the chair, not added to the session; who is to have it is invited. Raises NotInvitable."""
    if chair.address is None:
        state = SeatState.OPEN if chair.is_open else SeatState.ROBOT
        return SeatRow(table_id=table_id, seat=number, name=chair.name, state=state)
    player = player_at(session, chair.address, chair.name, now)
    if not player.invitations:
        raise NotInvitable(number)
    return SeatRow(table_id=table_id, seat=number, player_id=player.id, name=chair.name, state=SeatState.INVITED)


def _names_at(seat: SeatRow) -> list[str]:
    """Who sits there, and who may come; none for an open chair, which is nobody."""
    return [name for name in (seat.name, seat.offered_name) if name and seat.state is not SeatState.OPEN]


def _fresh_code(session: Session) -> str:
    while True:
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        if session.exec(select(TableRow.id).where(TableRow.code == code)).first() is None:
            return code


def _id(value: int | None) -> int:
    """A row's key, which is there once it has been flushed."""
    assert value is not None
    return value
