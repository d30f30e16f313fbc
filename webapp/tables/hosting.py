"""What a host may change at her table, before and while a game is played: chairs, pace, the clock, talk, the end.

Each change is one transaction, and doing it twice is doing it once. Chairs that are free are filled by `tables`; what a
chair takes along when it changes hands is for `offers`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from sqlmodel import Session, col, select

from hearts.robot import Level
from webapp import service
from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.core.tokens import HostLink, SeatLink
from webapp.forms.opening import Chair
from webapp.games.links import check_host
from webapp.games.presence import note_seen
from webapp.games.store import table_seats
from webapp.models import LetterKind, LetterRow, LetterState, SeatRow, SeatState, TableRow, TableState, Talk
from webapp.outbox import letters
from webapp.outbox.letters import OfferOver
from webapp.tables import offers, seating

TAKEN = {SeatState.ACCEPTED, SeatState.ROBOT}  # somebody plays there; not the host, who keeps her chair
OPEN_TO_CHANGE = {TableState.INVITING, TableState.PLAYING}
REMIND_AFTER = timedelta(hours=1)  # as long somebody has for a first answer


class Given(StrEnum):
    """What came of a chair that the host has given away."""

    ROBOT = "robot"
    INVITED = "invited"
    OPEN = "open"
    OFFERED = "offered"  # somebody plays there until it is accepted


@dataclass(frozen=True, slots=True)
class Manners:
    """How a table plays, beside its rules and its pace."""

    talk: Talk
    suggestions: bool
    robots: Level


def hosted_table(session: Session, link: HostLink) -> TableRow:
    """The table of the link. Raises LinkInvalid where its host is somebody else, LinkExpired where they ended it."""
    return check_host(session, link)


def give_seat(runtime: Runtime, link: HostLink, number: int, chair: Chair | None, now: datetime) -> Given:
    """The host gives a chair to `chair`, to a robot (None), or to anybody (`OPEN_CHAIR`).

    Whoever plays on it is replaced by a robot at once, and by somebody else once that one has accepted and the hand
    being played is over. Raises LinkInvalid, tables.SeatGone where the chair is not to be given, Refused where that
    one sits here already, or does not want invitations.
    """
    with runtime.database.reading() as session:
        hosted_table(session, link)
        seat = _chair(session, link, number)
    if seat.state in seating.OPEN:
        seating.refill(runtime, SeatLink(link.table_id, 0, link.player_id), number, chair, now)
        return Given.ROBOT if chair is None else Given.OPEN if chair.is_open else Given.INVITED
    if chair is not None and chair.is_open:
        raise Refused("Somebody plays on this chair; it can go to a robot, or be offered to somebody.")
    if chair is None:
        _replace(runtime, link, number, now)
        return Given.ROBOT
    _offer(runtime, link, number, chair, now)
    return Given.OFFERED


def withdraw_offer(runtime: Runtime, link: HostLink, number: int, now: datetime) -> None:
    """The chair is offered to nobody any more; whoever has accepted it, and not got it yet, is told.

    Raises LinkInvalid, and SeatGone where there is no such chair.
    """

    def change(session: Session, _: TableRow) -> None:
        offers.withdraw_offer(session, runtime, _chair(session, link, number), now)

    _change(runtime, link, change, now)


def remind(runtime: Runtime, link: HostLink, number: int, now: datetime) -> None:
    """Has the reminder of an invitation sent now, which would come by itself after some days. There is one.

    Raises LinkInvalid, SeatGone where nobody is asked for that chair, Refused where there is nothing to send.
    """

    def change(session: Session, _: TableRow) -> None:
        seat = _chair(session, link, number)
        player_id = seat.offered_to or (seat.player_id if seat.state is SeatState.INVITED else None)
        if player_id is None:
            raise seating.SeatGone
        if offers.is_promised(seat, player_id):
            raise Refused(f"{seat.offered_name} has accepted, and joins at the next hand.")
        asked = _invitations(session, seat, player_id)
        waiting = [letter for letter in asked if letter.again and _is_waiting(letter)]
        if not waiting:
            raise Refused("She has been reminded once, and we do not write a third time.")
        if any(letter.created_at > now - REMIND_AFTER for letter in asked if letter not in waiting):
            raise Refused("We have written to her within the last hour. Give her a little time.")
        waiting[-1].created_at = waiting[-1].next_at = now

    _change(runtime, link, change, now)


def change_pace(runtime: Runtime, link: HostLink, pass_time: timedelta, play_time: timedelta, now: datetime) -> None:
    """Other times to pass and to play, from the next question on; what is asked now has the longer time.

    Raises LinkInvalid.
    """

    def change(session: Session, table: TableRow) -> None:
        pace = int(pass_time.total_seconds()), int(play_time.total_seconds())
        if (table.pass_seconds, table.play_seconds) == pace:
            return
        table.pass_seconds, table.play_seconds = pace
        if stored := offers.running_stored(session, link.table_id):
            service.clock_changed(session, runtime, stored, now)

    _change(runtime, link, change, now)


def pause(runtime: Runtime, link: HostLink, *, paused: bool, now: datetime) -> None:
    """Stops the clock of the running game, or lets it go on with fresh deadlines.

    Raises LinkInvalid, Refused where no game is played.
    """

    def change(session: Session, table: TableRow) -> None:
        stored = offers.running_stored(session, link.table_id)
        if stored is None:
            raise Refused("No game is played at this table just now.")
        if paused == (table.paused_at is not None):
            return
        table.paused_at = now if paused else None
        service.clock_changed(session, runtime, stored, now)

    _change(runtime, link, change, now)


def change_manners(runtime: Runtime, link: HostLink, manners: Manners, now: datetime) -> None:
    """What may be said, whether robots may be asked, and how well they play, from now on. Raises LinkInvalid."""

    def change(_: Session, table: TableRow) -> None:
        table.talk, table.suggestions, table.robots = manners.talk, manners.suggestions, manners.robots

    _change(runtime, link, change, now)


def end_game(runtime: Runtime, link: HostLink, now: datetime) -> None:
    """Ends the running game before its end; the hand being played is not scored. The other players are told once.

    So is whoever was to join after that hand.

    Raises LinkInvalid. Where no game is played nothing happens.
    """

    def change(session: Session, table: TableRow) -> None:
        stored = offers.running_stored(session, link.table_id)
        if stored is None:
            return
        letters.supersede_of_game(session, stored.id)
        service.end_game(session, runtime, stored, OfferOver.ENDED, now)
        number = stored.row.number
        for seat in stored.seats:
            if seat.player_id not in (None, table.host_id):
                letters.queue_about_table(
                    session,
                    runtime,
                    LetterKind.ENDED,
                    seat,
                    now,
                    occasion=f"game {number}",
                    number=number,
                    game_number=number,
                )

    _change(runtime, link, change, now)


def _change(runtime: Runtime, link: HostLink, change: Callable[[Session, TableRow], None], now: datetime) -> None:
    """One transaction of the host on her table. Raises LinkInvalid."""

    def checked(session: Session, _: TableRow) -> None:
        table = hosted_table(session, link)
        note_seen(session, link.player_id, now)
        change(session, table)

    seating.change_table(runtime, link.table_id, checked, now)


def _replace(runtime: Runtime, link: HostLink, number: int, now: datetime) -> None:
    """A robot has the chair at once."""

    def change(session: Session, table: TableRow) -> None:
        seat = _taken_chair(session, link, table, number)
        if seat.state is not SeatState.ROBOT:
            seats = table_seats(session, link.table_id)
            offers.give_to_robot(session, runtime, seat, seating.free_robot_name(seats), now)

    _change(runtime, link, change, now)


def _offer(runtime: Runtime, link: HostLink, number: int, chair: Chair, now: datetime) -> None:
    """Invites somebody to the chair; until she accepts, and the hand is over, whoever has it keeps it."""

    def change(session: Session, table: TableRow) -> None:
        seat = _taken_chair(session, link, table, number)
        others = [other for other in table_seats(session, link.table_id) if other.seat != number]
        invited = seating.seat_for(session, link.table_id, number, chair, now)
        known = {seat.player_id, *(taken for other in others for taken in (other.player_id, other.offered_to))}
        if invited.player_id is None or invited.player_id in known:
            raise Refused("Whoever has this address sits at the table, or is invited to it.")
        seating.check_name(chair.name, others)
        offers.offer(session, runtime, seat, invited.player_id, chair.name, now)
        next_number = seating.next_number(session, link.table_id)
        occasion = offers.occasion_of_invitation(session, seat)
        letters.queue_about_table(
            session, runtime, LetterKind.INVITATION, invited, now, occasion=occasion, number=next_number
        )

    _change(runtime, link, change, now)


def _chair(session: Session, link: HostLink, number: int) -> SeatRow:
    """A chair that is not the host's. Raises SeatGone where there is none of that number."""
    seat = session.get(SeatRow, (link.table_id, number))
    if seat is None or seat.player_id == link.player_id:
        raise seating.SeatGone
    return seat


def _taken_chair(session: Session, link: HostLink, table: TableRow, number: int) -> SeatRow:
    """A chair on which somebody plays who is not the host. Raises SeatGone where it is none."""
    seat = _chair(session, link, number)
    if seat.state not in TAKEN or table.state not in OPEN_TO_CHANGE:
        raise seating.SeatGone
    return seat


def _invitations(session: Session, seat: SeatRow, player_id: int) -> list[LetterRow]:
    """Every invitation of that player to the chair, with its reminders, the oldest first."""
    hers = (LetterRow.table_id == seat.table_id, LetterRow.seat == seat.seat, LetterRow.player_id == player_id)
    found = select(LetterRow).where(*hers, LetterRow.kind == LetterKind.INVITATION)
    return list(session.exec(found.order_by(col(LetterRow.id))))


def _is_waiting(letter: LetterRow) -> bool:
    return letter.state is LetterState.QUEUED and letter.message is None
