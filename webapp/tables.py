"""The people at a table: opening it, inviting, accepting and declining, filling a chair, and signing in.

Nobody is dealt in who has not accepted; the first game begins in the transaction of the last answer.
"""

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from hearts.rules import rules_mapping
from webapp import service
from webapp.forms import ROBOT_NAMES, BadField, Chair, NewTable
from webapp.models import GameRow, LetterKind, PlayerRow, SeatRow, SeatState, TableRow, TableState
from webapp.parts import Parts
from webapp.post import bounces, letters
from webapp.post.presence import lock_players, note_seen
from webapp.store import table_seats
from webapp.tokens import ConfirmLink, InvitationLink, LinkInvalid, SeatLink, SignInLink

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # none that is easily taken for another
CODE_LENGTH = 5
READY = {SeatState.HOST, SeatState.ACCEPTED, SeatState.ROBOT}
OPEN = {SeatState.INVITED, SeatState.DECLINED}


def open_table(parts: Parts, new: NewTable, now: datetime) -> TableRow:
    """A table that waits for its host to follow the link in her inbox.

    Raises TooManyAsked, and NotInvitable where somebody has asked not to be invited.
    """
    with parts.database.writing() as session:
        host = _player(session, new.host_address, new.host_name, now, new.time_zone)
        letters.check_asked(session, host, now)
        table = TableRow(
            code=_fresh_code(session),
            host_id=_id(host.id),
            rules=rules_mapping(new.rules),
            pass_seconds=int(new.pass_time.total_seconds()),
            play_seconds=int(new.play_time.total_seconds()),
            robots=new.robots,
            suggestions=new.suggestions,
            state=TableState.UNCONFIRMED,
            created_at=now,
        )
        session.add(table)
        session.flush()
        seat = SeatRow(table_id=_id(table.id), seat=0, player_id=host.id, name=new.host_name, state=SeatState.HOST)
        session.add(seat)
        for number, chair in enumerate(new.chairs, start=1):
            session.add(_seat_for(session, _id(table.id), number, chair, now))
        session.flush()
        letters.owe_about_table(session, parts, LetterKind.CONFIRM, seat, now)
    parts.bell.deliver()
    return table


def confirm(parts: Parts, link: ConfirmLink, now: datetime) -> TableRow:
    """The host has confirmed: sends the invitations, or begins if everybody else is a robot. Twice is once."""

    def change(session: Session, table: TableRow) -> None:
        if table.state is not TableState.UNCONFIRMED:
            return
        table.state, table.confirmed_at = TableState.INVITING, now
        bounces.clear(session, note_seen(session, table.host_id, now), now)  # the link came by mail
        host, *others = table_seats(session, link.table_id)
        for seat in (other for other in others if other.state is SeatState.INVITED):
            if session.get_one(PlayerRow, seat.player_id).invitations:
                letters.owe_about_table(session, parts, LetterKind.INVITATION, seat, now)
            else:  # she has asked not to be invited since the table was opened
                seat.state = SeatState.DECLINED
                letters.owe_about_table(session, parts, LetterKind.DECLINED, host, now, about=seat.name)

    return change_table(parts, link.table_id, change, now)


def accept(parts: Parts, link: InvitationLink, name: str, time_zone: str, now: datetime) -> TableRow:
    """The invited player takes her seat under `name`; the last one to do so begins the game. Twice is once.

    Raises BadField where somebody at the table has that name, SeatGone where the seat is no longer hers to take.
    """

    def change(session: Session, table: TableRow) -> None:
        seat = invited_seat(session, link)
        if seat.state in READY:
            return
        others = (other.name.casefold() for other in table_seats(session, link.table_id) if other.seat != link.seat)
        if name.casefold() in others:
            raise BadField("Somebody at this table has this name already; please choose another.")
        seat.name = name
        take_seat(table, seat)
        player = note_seen(session, link.player_id, now)
        player.name, player.time_zone = name, time_zone

    return change_table(parts, link.table_id, change, now)


def decline(parts: Parts, link: InvitationLink, now: datetime) -> TableRow:
    """The invited player will not come; the host is told. Twice is once. Raises SeatGone once she has accepted.

    Without its host there is no other game at a table: that closes it, and whoever has agreed is told.
    """

    def change(session: Session, table: TableRow) -> None:
        seat = invited_seat(session, link)
        if seat.state in READY:
            raise SeatGone
        if seat.state is not SeatState.INVITED:
            return
        seat.state = SeatState.DECLINED
        seats = table_seats(session, link.table_id)
        told = seats[:1]
        if link.player_id == table.host_id:
            table.state = TableState.OVER
            told = [other for other in seats if other.state is SeatState.ACCEPTED]
        number = next_number(session, link.table_id)
        for other in told:
            letters.owe_about_table(session, parts, LetterKind.DECLINED, other, now, about=seat.name, number=number)

    return change_table(parts, link.table_id, change, now)


def refill(parts: Parts, link: SeatLink, number: int, chair: Chair | None, now: datetime) -> TableRow:
    """The host gives a chair whose player declined, or has not answered, to somebody else, or (None) to a robot.

    Raises SeatGone where it is not free or the link is not the host's, BadField where that person sits here already,
    or has asked not to be invited.
    """

    def change(session: Session, table: TableRow) -> None:
        seats = table_seats(session, link.table_id)
        if link.player_id != table.host_id or not 0 < number < len(seats) or seats[number].state not in OPEN:
            raise SeatGone
        others = [seat for seat in seats if seat.seat != number]
        chair_now = chair or Chair(free_robot_name(others), None)
        if chair_now.name.casefold() in {seat.name.casefold() for seat in others}:
            raise BadField("Somebody at this table has this name already; please choose another.")
        fresh = _seat_for(session, link.table_id, number, chair_now, now)
        if fresh.player_id is not None and fresh.player_id in {seat.player_id for seat in seats}:
            raise BadField("This address sits at the table already, or has declined.")
        seat = seats[number]
        seat.player_id, seat.name, seat.state = fresh.player_id, fresh.name, fresh.state
        seat.away, seat.mails, seat.missed = False, True, 0
        if seat.state is SeatState.INVITED:
            letters.owe_about_table(session, parts, LetterKind.INVITATION, seat, now)

    return change_table(parts, link.table_id, change, now)


def take_seat(table: TableRow, seat: SeatRow) -> None:
    """The player of `seat` will play the next game: she is back, whatever became of her in the last one."""
    seat.state = SeatState.HOST if seat.player_id == table.host_id else SeatState.ACCEPTED
    seat.away, seat.mails, seat.missed = False, True, 0


class NotInvitable(BadField):
    """Whoever is to have the chair of that number has asked not to be invited."""

    def __init__(self, seat: int) -> None:
        super().__init__("Whoever has this address does not want invitations.")
        self.seat = seat


class SeatGone(Exception):
    """The chair is not this person's to take or to give (any more)."""


def invited_seat(session: Session, link: InvitationLink) -> SeatRow:
    """The seat that the invitation is for. Raises SeatGone where it has been given to somebody else."""
    seat = session.get(SeatRow, (link.table_id, link.seat))
    if seat is None or seat.player_id != link.player_id:
        raise SeatGone
    return seat


def own_seat(session: Session, link: SeatLink) -> SeatRow:
    """The seat whose page the link opens. Raises LinkInvalid where somebody else has it now."""
    seat = session.get(SeatRow, (link.table_id, link.seat))
    if seat is None or seat.player_id != link.player_id:
        raise LinkInvalid
    return seat


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


def ask_sign_in(parts: Parts, address: str, now: datetime) -> None:
    """Owes a sign-in link to the player of that address, if there is one; who asks is not told. Raises TooManyAsked."""
    with parts.database.writing() as session:
        player = session.exec(select(PlayerRow).where(PlayerRow.address == address)).first()
        if player is None:
            return
        letters.check_asked(session, player, now)
        letters.owe_sign_in(session, parts, player, now)
    parts.bell.deliver()


def sign_in(parts: Parts, link: SignInLink) -> PlayerRow:
    """The player of the link, which is dead from now on. Raises LinkInvalid where it has been used."""
    with parts.database.writing() as session:
        player = session.get(PlayerRow, link.player_id, with_for_update=True)
        if player is None or player.sign_ins != link.sign_ins:
            raise LinkInvalid
        player.sign_ins += 1
        player.seen_at = parts.now()
        bounces.clear(session, player, parts.now())
    return player


def free_robot_name(others: Sequence[SeatRow]) -> str:
    taken = {seat.name.casefold() for seat in others}
    return next(name for name in ROBOT_NAMES if name.casefold() not in taken)


def change_table(parts: Parts, table_id: int, change: Callable[[Session, TableRow], None], now: datetime) -> TableRow:
    """One transaction on a table: `change`, then the next game if everybody is ready. Raises LinkInvalid: no table."""
    game = None
    with parts.database.writing() as session:
        table = session.get(TableRow, table_id, with_for_update=True)
        if table is None:
            raise LinkInvalid
        lock_players(session, table_seats(session, table_id))
        change(session, table)
        if table.state is TableState.INVITING and all(seat.state in READY for seat in table_seats(session, table_id)):
            table.state = TableState.PLAYING
            game = service.start_game(session, parts, table, now)
    parts.bell.deliver()
    if game is not None:
        service.ring(parts, game, now)
    return table


def _seat_for(session: Session, table_id: int, number: int, chair: Chair, now: datetime) -> SeatRow:
    if chair.address is None:
        return SeatRow(table_id=table_id, seat=number, name=chair.name, state=SeatState.ROBOT)
    player = _player(session, chair.address, chair.name, now)
    if not player.invitations:
        raise NotInvitable(number)
    return SeatRow(table_id=table_id, seat=number, player_id=player.id, name=chair.name, state=SeatState.INVITED)


def _player(session: Session, address: str, name: str, now: datetime, time_zone: str = "UTC") -> PlayerRow:
    """The player of that address, whatever others call her; a new one where there is none."""
    player = session.exec(select(PlayerRow).where(PlayerRow.address == address)).first()
    if player is None:
        player = PlayerRow(address=address, name=name, time_zone=time_zone, created_at=now)
        session.add(player)
        session.flush()
    return player


def _fresh_code(session: Session) -> str:
    while True:
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        if session.exec(select(TableRow.id).where(TableRow.code == code)).first() is None:
            return code


def _id(value: int | None) -> int:
    """A row's key, which is there once it has been flushed."""
    assert value is not None
    return value
