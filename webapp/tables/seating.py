"""Opens tables and fills their seats: invites players, and lets them accept or decline.

A game is dealt only to players who have accepted; it begins in the transaction of the last answer.
"""

import secrets
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import count

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from webapp.accounts import address_changes
from webapp.core.addresses import sharing
from webapp.core.names import outline
from webapp.core.runtime import Runtime
from webapp.core.say import Refused, say, spoken
from webapp.core.tokens import ConfirmLink, InvitationLink, LinkInvalid, PlayLink, SeatLink
from webapp.forms.opening import OWN_MAILBOXES, NewSeat, NewTable
from webapp.games.clock.presence import note_seen
from webapp.games.record import changing, sealed
from webapp.games.record.changing import Transaction
from webapp.games.record.links import check_confirm, check_player, check_seat
from webapp.games.record.rows import READY, table_seats, waits_for_host
from webapp.games.record.seats import (
    is_lent,
    is_offered,
    is_promised,
    is_stand_in_asked,
    may_answer,
    owner_id,
    people_of,
    seat_of_owner,
)
from webapp.models import GameRow, LetterKind, PlayerRow, SeatRow, SeatState, TableRow, TableState
from webapp.outbox import about_tables, bounces
from webapp.play import advancing
from webapp.play.seat_transfer import free_robot_name, names_at
from webapp.tables import offers

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # none that is easily taken for another
CODE_LENGTH = 5
OPEN = (TableState.INVITING, TableState.PLAYING)
FREE = {SeatState.INVITED, SeatState.DECLINED, SeatState.OPEN}  # the host may give such a seat to somebody else


def open_table(runtime: Runtime, new: NewTable, now: datetime) -> TableRow:
    """Opens a table, and queues the mail whose link its host must follow to confirm it.

    Raises NotInvitable if a player does not want invitations.
    """
    with runtime.database.writing() as session:
        host = player_at(session, new.host_address, new.host_name, now, new.time_zone)
        table = TableRow(
            code=_fresh_code(session),
            host_id=host.id,
            rules=new.rules,
            pass_seconds=int(new.pass_time.total_seconds()),
            play_seconds=int(new.play_time.total_seconds()),
            robots=new.robots,
            suggestions=new.suggestions,
            talk=new.talk,
            at_once=new.at_once,
            vacation_days=new.vacation_days,
            words=new.words,
            state=TableState.UNCONFIRMED,
            created_at=now,
        )
        session.add(table)
        session.flush()
        seat = SeatRow(table_id=table.id, seat=0, player_id=host.id, name=new.host_name, state=SeatState.HOST)
        session.add(seat)
        for number, occupant in enumerate(new.seats, start=1):
            session.add(seat_for(session, table.id, number, occupant, now))
        session.flush()
        sealed.seal_next(session, runtime.chance, table.id, 1, [], now)
        about_tables.queue_about_table(session, runtime, LetterKind.CONFIRM, seat, now)
    runtime.bell.deliver()
    return table


def confirm(runtime: Runtime, link: ConfirmLink, now: datetime, words: str = "") -> None:
    """Confirms the table for its host: queues the invitations, or begins if all other seats are robots'. Idempotent.

    `words` are the host's for the shuffle.

    Raises LinkInvalid if there is no such table, LinkExpired if the host has ended the link.
    """
    with change_table(runtime, link.table_id, now) as (transaction, table):
        session = transaction.session
        check_confirm(session, link)
        if table.state is not TableState.UNCONFIRMED:
            return
        number_table(session, table)
        table.state, table.confirmed_at = TableState.INVITING, now
        bounces.clear(session, note_seen(session, table.host_id, now), now)  # the link came by mail
        host, *others = table_seats(session, link.table_id)
        sealed.give_words(session, host, words)
        for seat in (other for other in others if other.state is SeatState.INVITED):
            if session.get_one(PlayerRow, seat.player_id).invitations:
                about_tables.queue_about_table(session, runtime, LetterKind.INVITATION, seat, now)
            else:  # since the table was opened, the player has asked for no more invitations
                seat.state = SeatState.DECLINED
                about_tables.queue_about_table(session, runtime, LetterKind.DECLINED, host, now, about=seat.name)


def number_table(session: Session, table: TableRow) -> None:
    """Gives a table that opens the first number that no other open table of its host has, unless its own is free."""
    open_ones = (col(TableRow.host_id) == table.host_id, col(TableRow.state).in_(OPEN), col(TableRow.id) != table.id)
    numbers = select(SeatRow.table_number).join(TableRow).where(SeatRow.seat == 0, *open_ones)
    taken, host = set(session.exec(numbers)), session.get_one(SeatRow, (table.id, 0))
    if host.table_number in taken:
        host.table_number = next(number for number in count(1) if number not in taken)


def accept(runtime: Runtime, link: InvitationLink, name: str, time_zone: str, now: datetime, words: str = "") -> None:
    """Accepts the invitation under `name`; the game begins when the last player accepts. Idempotent.

    `words` are the player's for the shuffle. A player who accepts an occupied seat gets it when the current hand is
    over, and a stand-in at once.

    Raises Refused if somebody at the table has that name, SeatGone if the player cannot have the seat any more,
    LinkInvalid if there is no such table, LinkExpired if the player has ended the link.
    """
    with change_table(runtime, link.table_id, now, joining=[link.player_id]) as (transaction, table):
        session = transaction.session
        seat = invited_seat(session, link)
        was_offered = is_offered(seat, link.player_id)
        if is_promised(seat, link.player_id) or (seat.state in READY and not was_offered):
            return
        others = [other for other in table_seats(session, link.table_id) if other.seat != link.seat]
        # Also who gets a seat after this hand, or gets one back from a stand-in.
        if any(link.player_id in (one.player_id, owner_id(one)) or is_promised(one, link.player_id) for one in others):
            if is_stand_in_asked(seat):
                raise Refused(say("You play at this table yourself, so you can't play for somebody else there."))
            raise SeatGone
        check_name(name, others)
        player = note_seen(session, link.player_id, now)
        player.name, player.time_zone = name, time_zone
        if was_offered:
            offers.accept_offer(transaction, seat, name, words)
            return
        seat.name = name
        take_seat(table, seat)
        sealed.give_words(session, seat, words)


def decline(runtime: Runtime, link: InvitationLink, now: datetime) -> None:
    """Declines the invitation, and queues a mail to the host. Idempotent.

    A player who declines the offer of an occupied seat, even after accepting it, leaves it to its present player. The
    mail goes to that player if they have asked for a stand-in. If the host declines another game, the table closes, and
    the mails go to the players who have agreed to play.

    Raises SeatGone if the player has accepted the seat, LinkInvalid if there is no such table, LinkExpired if the
    player has ended the link.
    """
    with change_table(runtime, link.table_id, now) as (transaction, table):
        session = transaction.session
        seat, seats = invited_seat(session, link), table_seats(session, link.table_id)
        if is_offered(seat, link.player_id) and is_stand_in_asked(seat):
            about_tables.queue_no_stand_in(session, runtime, seat, seat.offered_name or "", now)
            offers.decline_offer(seat)
            return
        if is_offered(seat, link.player_id):
            number, name = next_number(session, link.table_id), seat.offered_name
            offers.decline_offer(seat)
            host = seat_of_owner(seats[0])
            about_tables.queue_about_table(session, runtime, LetterKind.DECLINED, host, now, about=name, number=number)
            return
        if seat.state in READY:
            raise SeatGone
        if seat.state is not SeatState.INVITED:
            return
        seat.state = SeatState.DECLINED
        recipients = seats[:1]
        if link.player_id == table.host_id:
            table.state = TableState.OVER
            recipients = [other for other in seats if other.state is SeatState.ACCEPTED]
        number = next_number(session, link.table_id)
        for other in recipients:
            about_tables.queue_about_table(
                session, runtime, LetterKind.DECLINED, other, now, about=seat.name, number=number
            )


def refill(runtime: Runtime, link: SeatLink, number: int, occupant: NewSeat | None, now: datetime) -> None:
    """The host gives a free seat to the player `occupant`, to a robot (None), to anybody (`OPEN_SEAT`), or to whoever
    opens their link (`LINK_SEAT`).

    A seat is free if it is open, or if its player has declined or has not answered yet.

    Raises SeatGone if the seat is not free or the link is not the host's, Refused if that player is at the table
    already or does not want invitations, LinkInvalid if there is no such table.
    """
    with change_table(runtime, link.table_id, now) as (transaction, table):
        session = transaction.session
        seats = table_seats(session, link.table_id)
        if link.player_id != table.host_id or not 0 < number < len(seats) or seats[number].state not in FREE:
            raise SeatGone
        others = [seat for seat in seats if seat.seat != number]
        wanted = occupant or NewSeat(free_robot_name(others), None)
        if not wanted.is_open:
            check_name(wanted.name, others)
        fresh = seat_for(session, link.table_id, number, wanted, now)
        if fresh.player_id is not None and fresh.player_id in {seat.player_id for seat in seats}:
            raise Refused(say("This address sits at the table already, or has declined."))
        seat = seats[number]
        seat.player_id, seat.name, seat.state = fresh.player_id, fresh.name, fresh.state
        seat.by_link = fresh.by_link
        seat.away, seat.away_until, seat.mails, seat.missed = False, None, True, 0
        if seat.state is SeatState.INVITED:
            about_tables.queue_about_table(session, runtime, LetterKind.INVITATION, seat, now)
        if seat.state is SeatState.OPEN and not seat.by_link:
            table.confirmed_at = now  # the lobby lists the table from then on


def play_now(runtime: Runtime, link: SeatLink | PlayLink, now: datetime) -> None:
    """The host gives every seat that is not taken to a robot, and the table's first game begins. Idempotent.

    Players who are invited and have not answered can still say yes: each gets their seat from its robot after a hand.

    Raises SeatGone if the link is not the host's, LinkInvalid if there is no such table, SeatLost or LinkExpired.
    """
    with change_table(runtime, link.table_id, now) as (transaction, table):
        session = transaction.session
        check_own_table(session, link, table)
        if not may_play_now(session, table):
            return
        seats = table_seats(session, link.table_id)
        for seat in seats:
            seat.by_link = False
            if seat.state in FREE:
                invited = seat.player_id if seat.state is SeatState.INVITED else None
                name, seat.player_id = seat.name, None
                seat.name, seat.state = free_robot_name(seats), SeatState.ROBOT
                if invited is not None:
                    offers.offer(transaction, seat, invited, name)


def may_play_now(session: Session, table: TableRow) -> bool:
    """Whether the table's first game has not begun, so that its host may play it with robots in the free seats."""
    return table.state is TableState.INVITING and current_game(session, table.id) is None


def check_name(name: str, others: Iterable[SeatRow]) -> None:
    """Raises Refused if the player of one of the other seats has that name, or a newcomer to whom one is offered, or
    one that looks like it.
    """
    if outline(name) in {outline(known) for seat in others for known in names_at(seat)}:
        raise Refused(say("Somebody at this table has this name already; please choose another."))


def take_seat(table: TableRow, seat: SeatRow) -> None:
    """Makes the player of the seat ready for the next game, and ends what the last one left: away, muted, missed."""
    seat.state = SeatState.HOST if seat.player_id == table.host_id else SeatState.ACCEPTED
    seat.away, seat.away_until, seat.mails, seat.missed = False, None, True, 0


class NotInvitable(Refused):
    """The player who is to have seat number `seat` does not want invitations."""

    def __init__(self, seat: int) -> None:
        super().__init__(say("The person with this address does not want invitations."))
        self.seat = seat


class SeatGone(Exception):
    """The player cannot take the seat, or the host cannot give it away, or not any more."""


def invited_seat(session: Session, link: InvitationLink) -> SeatRow:
    """The seat to which the link invites.

    Raises SeatGone if the seat is neither the player's nor offered to them, LinkExpired if they have ended the link.
    """
    seat = session.get(SeatRow, (link.table_id, link.seat))
    if seat is None or not may_answer(seat, link.player_id):
        raise SeatGone
    check_player(link, session.get(PlayerRow, link.player_id))
    return seat


def give_words(runtime: Runtime, link: PlayLink, words: str, now: datetime) -> SeatRow:
    """Keeps words for the shuffle of a player who has given none, from the next deal on; the first ones stand.

    Nothing happens for somebody who plays for the seat's owner, whose part stays. Raises SeatLost or LinkExpired.
    """
    with change_table(runtime, link.table_id, now) as (transaction, _):
        seat = own_seat(transaction.session, link)
        if not is_lent(seat):
            sealed.give_words(transaction.session, seat, words)
    return seat


def own_seat(session: Session, link: SeatLink | PlayLink) -> SeatRow:
    """The seat of the link. Raises SeatLost if another player has it, LinkExpired if the player has ended the link."""
    return check_seat(link, session.get(SeatRow, (link.table_id, link.seat)))


def check_own_table(session: Session, link: SeatLink | PlayLink, table: TableRow) -> None:
    """Raises SeatGone unless the seat of the link is the host's; SeatLost or LinkExpired, as `own_seat` does."""
    own_seat(session, link)
    if link.player_id != table.host_id:
        raise SeatGone


def table_of_code(session: Session, code: str) -> TableRow | None:
    """The table that players know by that code; None if there is none."""
    if not set(code) <= set(CODE_LETTERS):  # it may hold characters that the database rejects
        return None
    return session.exec(select(TableRow).where(TableRow.code == code)).first()


def current_game(session: Session, table_id: int) -> GameRow | None:
    """The game that the table is playing, or its last one; None before the first."""
    query = select(GameRow).where(GameRow.table_id == table_id).order_by(col(GameRow.number).desc()).limit(1)
    return session.exec(query).first()


def game(session: Session, table_id: int, number: int) -> GameRow | None:
    """The table's game of that number; None if there is none."""
    return session.exec(select(GameRow).where(GameRow.table_id == table_id, GameRow.number == number)).first()


def next_number(session: Session, table_id: int) -> int:
    """The number of the game that the table would play next."""
    game = current_game(session, table_id)
    return game.number + 1 if game else 1


def player_at(session: Session, address: str, name: str, now: datetime, time_zone: str = "UTC") -> PlayerRow:
    """The player of that address, whatever name others give them; adds one under `name` if there is none.

    Their language is the one that is spoken: their own, or that of who invites them.
    A player who has changed from this address counts as its player as long as the change can be undone. Otherwise an
    intruder who changed it could give the old address to a new player, and its owner could not take the games back.
    A player who is just being forgotten is not theirs any more once that is done: their key is locked until the end.
    """
    known = select(PlayerRow).where(PlayerRow.address == address)
    locked = known.with_for_update(read=True, key_share=True)
    player = session.exec(locked).first() or address_changes.player_who_left(session, address, now)
    if player is not None:
        return player
    player = PlayerRow(address=address, name=name, time_zone=time_zone, language=spoken(), created_at=now)
    try:
        with session.begin_nested():
            session.add(player)
    except IntegrityError:  # a second click, or somebody else who invites the player, was faster
        return session.exec(known).one()
    return player


@contextmanager
def change_table(
    runtime: Runtime, table_id: int, now: datetime, joining: Collection[int] = ()
) -> Iterator[tuple[Transaction, TableRow]]:
    """One transaction on the locked table, which begins its next game if all seats are ready at the end.

    `joining` are the ids of players who may get a seat, so that they are locked, too. Raises LinkInvalid if there is no
    such table; Refused if two who are to play where strangers sit, or may, read one mailbox.
    """
    with changing.games(runtime, now) as transaction:
        table = transaction.lock_table(table_id, joining)
        if table is None:
            raise LinkInvalid
        shared = _shared_among_strangers(transaction.session, table)
        yield transaction, table
        after = _shared_among_strangers(transaction.session, table)
        if not all(any(group <= known for known in shared) for group in after):
            raise Refused(say(OWN_MAILBOXES))
        seats = table_seats(transaction.session, table_id)
        if table.state is TableState.INVITING and all(seat.state in READY for seat in seats):
            if waits_for_host(table, seats):
                # Somebody has come by the host's link, so the host begins the game.
                about_tables.queue_all_here(transaction.session, transaction.runtime, seats, transaction.now)
            else:
                table.state = TableState.PLAYING
                advancing.start_game(transaction, table)


def _shared_among_strangers(session: Session, table: TableRow) -> set[frozenset[int]]:
    """The groups of players who read one mailbox, at a table where strangers sit or may sit; empty at any other.

    Owners of lent seats count, and newcomers who are offered one.
    """
    seats = table_seats(session, table.id)
    if not (table.has_strangers or any(seat.state is SeatState.OPEN and not seat.by_link for seat in seats)):
        return set()
    taken = [seat for seat in seats if seat.state is not SeatState.DECLINED]
    people: set[int] = set().union(*map(people_of, taken))
    found = session.exec(select(PlayerRow.id, PlayerRow.address).where(col(PlayerRow.id).in_(people)))
    return set(map(frozenset, sharing(found)))


def seat_for(session: Session, table_id: int, number: int, occupant: NewSeat, now: datetime) -> SeatRow:
    """A new row for seat `number`, not added to the session: a robot's, open, or with `occupant` as an invited player.

    Raises NotInvitable if the player does not want invitations.
    """
    if occupant.address is None:
        state = SeatState.OPEN if occupant.is_open else SeatState.ROBOT
        name, by_link = occupant.name, occupant.by_link
        return SeatRow(table_id=table_id, seat=number, name=name, state=state, by_link=by_link)
    player = player_at(session, occupant.address, occupant.name, now)
    if not player.invitations:
        raise NotInvitable(number)
    return SeatRow(table_id=table_id, seat=number, player_id=player.id, name=occupant.name, state=SeatState.INVITED)


def _fresh_code(session: Session) -> str:
    while True:
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        if session.exec(select(TableRow.id).where(TableRow.code == code)).first() is None:
            return code
