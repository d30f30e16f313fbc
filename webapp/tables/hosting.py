"""Makes the changes that only the host of a table may make: seats, pace, clock, talk, the end of a game.

The host may make them before a game and while it is played. Each change is one transaction, and is idempotent.
`seating` fills free seats; `offers` transfers seats while a game is played.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from sqlmodel import Session, col, select

from hearts.deal import hands_at_once
from hearts.robot import Level
from webapp import acts
from webapp.core.runtime import Runtime
from webapp.core.say import Refused, say
from webapp.core.tokens import HostLink, SeatLink
from webapp.forms.opening import NewSeat
from webapp.games.clock import proposals
from webapp.games.clock.presence import note_seen
from webapp.games.record.changing import OpenGame, Transaction
from webapp.games.record.links import check_host
from webapp.games.record.rows import table_rules, table_seats
from webapp.games.record.seats import is_lent, is_promised, is_stand_in_asked, own_name, owner_name, people_of
from webapp.models import (
    LetterKind,
    LetterRow,
    LetterState,
    OperatorAct,
    PaceTimes,
    PlayerRow,
    Proposal,
    Proposed,
    SeatRow,
    SeatState,
    Stands,
    TableRow,
    TableState,
    Talk,
)
from webapp.outbox import about_tables
from webapp.play import course
from webapp.tables import agreeing, offers, seating

OCCUPIED = {SeatState.ACCEPTED, SeatState.ROBOT}  # without HOST: hosts keep their seats
OPEN_TO_CHANGE = {TableState.INVITING, TableState.PLAYING}
REMIND_AFTER = timedelta(hours=1)  # the host cannot remind an invited player sooner


class GivenTo(StrEnum):
    """The state of a seat after its host has given it away."""

    ROBOT = "robot"
    PROPOSED = "proposed"  # a robot gets it once the others have seen that, or agree
    INVITED = "invited"
    OPEN = "open"
    LINK = "link"  # whoever opens the host's link
    OFFERED = "offered"  # the present player or robot keeps it until the newcomer gets it


@dataclass(frozen=True, slots=True)
class Pace:
    """The time to pass and to play a card, and the vacation days; None leaves these as they are."""

    pass_time: timedelta
    play_time: timedelta
    vacation_days: int | None = None


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The options of a table that are neither rules nor pace."""

    talk: Talk
    suggestions: bool
    robots: Level
    is_side_by_side: bool  # whether the next games play a hand for each direction of the pass at once


def give_seat(runtime: Runtime, link: HostLink, number: int, occupant: NewSeat | None, now: datetime) -> GivenTo:
    """The host gives seat `number` to the player `occupant`, to a robot (None), to anybody (`OPEN_SEAT`), or to whoever
    opens their link (`LINK_SEAT`).

    A robot replaces the player of a running game once the others have seen that, or agree (`games.clock.proposals`). A
    newcomer gets an occupied seat when they have accepted it and the current hand is over.

    Raises LinkInvalid, LinkExpired, SeatGone if the seat cannot be given away, and Refused if the newcomer is at the
    table already or does not want invitations, or after too many proposals.
    """
    with runtime.database.reading() as session:
        check_host(session, link)
        seat = _seat(session, link, number)
    if seat.state in seating.FREE:
        seating.refill(runtime, SeatLink(link.table_id, 0, link.player_id), number, occupant, now)
        if occupant is None:
            return GivenTo.ROBOT
        if occupant.is_open:
            return GivenTo.LINK if occupant.by_link else GivenTo.OPEN
        return GivenTo.INVITED
    if occupant is not None and occupant.is_open:
        raise Refused(say("Somebody plays on this seat; it can go to a robot, or be offered to somebody."))
    if occupant is None:
        return _replace(runtime, link, number, now)
    _offer(runtime, link, number, occupant, now)
    return GivenTo.OFFERED


def withdraw_offer(runtime: Runtime, link: HostLink, number: int, now: datetime) -> None:
    """Withdraws the offer of a seat, and queues a mail to a newcomer who has accepted it and not got it yet.

    Raises LinkInvalid, LinkExpired, and SeatGone if the table has no such seat.
    """
    with seating.change_table(runtime, link.table_id, now) as (transaction, _):
        _check_host(transaction, link)
        seat = _seat(transaction.session, link, number)
        if not is_stand_in_asked(seat):
            offers.withdraw_offer(transaction, seat)


def remind(runtime: Runtime, link: HostLink, number: int, now: datetime) -> None:
    """Makes the one reminder of an invitation due now; by itself it would go out after some days.

    Raises LinkInvalid, LinkExpired, SeatGone if nobody is invited to that seat, and Refused if the player has accepted,
    has been reminded already, or got a mail less than REMIND_AFTER ago.
    """
    with seating.change_table(runtime, link.table_id, now) as (transaction, _):
        _check_host(transaction, link)
        session = transaction.session
        seat = _seat(session, link, number)
        if is_stand_in_asked(seat):  # not by the host
            raise seating.SeatGone
        player_id = seat.offered_to or (seat.player_id if seat.state is SeatState.INVITED else None)
        if player_id is None:
            raise seating.SeatGone
        if is_promised(seat, player_id):
            raise Refused(say("{name} has accepted, and joins at the next hand.", name=seat.offered_name))
        name = seat.offered_name if seat.offered_to else seat.name
        own = (LetterRow.table_id == seat.table_id, LetterRow.seat == seat.seat, LetterRow.player_id == player_id)
        invitations = select(LetterRow).where(*own, LetterRow.kind == LetterKind.INVITATION)
        asked = session.exec(invitations.order_by(col(LetterRow.id))).all()  # with reminders, oldest first
        waiting = [one for one in asked if one.again and one.state is LetterState.QUEUED and one.message is None]
        if not waiting:
            raise Refused(say("{name} has been reminded once, and we don't write a third time.", name=name))
        if any(letter.created_at > now - REMIND_AFTER for letter in asked if letter not in waiting):
            raise Refused(say("We have written to {name} within the last hour. Give them a little time.", name=name))
        waiting[-1].created_at = waiting[-1].next_at = now


def change_pace(runtime: Runtime, link: HostLink, wanted: Pace, now: datetime) -> bool:
    """Proposes another pace to the other players (`games.clock.proposals`); the present pace withdraws that.

    Returns whether it is still to begin. The deadline of a present question only ever moves later. Raises LinkInvalid,
    LinkExpired, and Refused if the running game would be live, but plays several hands at once, or after too many
    proposals.
    """
    with seating.change_table(runtime, link.table_id, now) as (transaction, table):
        _check_host(transaction, link)
        days = table.vacation_days if wanted.vacation_days is None else wanted.vacation_days
        seconds = int(wanted.pass_time.total_seconds()), int(wanted.play_time.total_seconds())
        proposal = Proposal(Proposed.PACE, now, pace=PaceTimes(*seconds, days))
        if proposal.pace == proposals.pace_of_table(table):
            proposals.drop(table, proposal)
            return False
        game = transaction.running(link.table_id)
        if game and game.row.at_once > 1 and proposals.needs_all(proposal):
            raise Refused(say("This game plays several hands at once, so it can't be live. Choose an hour or more."))
        return agreeing.propose(transaction, table, proposal)


def withdraw_proposal(runtime: Runtime, link: HostLink, key: str, now: datetime) -> None:
    """Withdraws the proposal of that key. Raises LinkInvalid, LinkExpired, and Refused if it is over."""
    with seating.change_table(runtime, link.table_id, now) as (transaction, table):
        _check_host(transaction, link)
        proposal = proposals.of_key(table, key)
        if proposal is None:
            raise Refused(say(agreeing.GONE))
        proposals.drop(table, proposal)


def pause(runtime: Runtime, link: HostLink, *, paused: bool, now: datetime) -> None:
    """Stops the clock of the running game, or (not `paused`) starts it again with the time that was left.

    Raises LinkInvalid, LinkExpired, and Refused if no game is played.
    """
    with seating.change_table(runtime, link.table_id, now) as (transaction, table):
        _check_host(transaction, link)
        pause_game(transaction, table, paused=paused)


def pause_game(transaction: Transaction, table: TableRow, *, paused: bool) -> OpenGame:
    """Does that in a transaction, and returns the game. Raises Refused if no game is played."""
    game = transaction.running(table.id)
    if game is None:
        raise Refused(say("No game is played at this table just now."))
    if paused:
        course.stop_clock(game, Stands.HOST)
    else:
        course.start_clock(game)
    return game


def change_options(runtime: Runtime, link: HostLink, options: TableOptions, now: datetime) -> None:
    """Sets the options of the table, from now on. Raises LinkInvalid or LinkExpired."""
    with seating.change_table(runtime, link.table_id, now) as (transaction, table):
        _check_host(transaction, link)
        table.talk, table.suggestions, table.robots = options.talk, options.suggestions, options.robots
        table.at_once = hands_at_once(table_rules(table))[-1 if options.is_side_by_side else 0]


def end_game(runtime: Runtime, link: HostLink, now: datetime) -> bool:
    """Proposes to the other players to end the running game early; the current hand would not be scored. Without other
    players it ends at once, and if no game is played, nothing happens.

    Returns whether the others have to see it first. Raises LinkInvalid, LinkExpired, and Refused after too many
    proposals.
    """
    with seating.change_table(runtime, link.table_id, now) as (transaction, table):
        _check_host(transaction, link)
        is_played = transaction.running(table.id) is not None
        return is_played and agreeing.propose(transaction, table, Proposal(Proposed.END, now))


def _check_host(transaction: Transaction, link: HostLink) -> None:
    """Notes that the host of the link's table does something. Raises LinkInvalid if it is not theirs, LinkExpired."""
    check_host(transaction.session, link)
    note_seen(transaction.session, link.player_id, transaction.now)


def _replace(runtime: Runtime, link: HostLink, number: int, now: datetime) -> GivenTo:
    """Gives an occupied seat to a robot: at once before a game, and if no mail reaches its player; else it proposes
    that to the others.
    """
    with seating.change_table(runtime, link.table_id, now) as (transaction, table):
        _check_host(transaction, link)
        session = transaction.session
        seat = _occupied_seat(session, link, table, number)
        if seat.state is SeatState.ROBOT:
            return GivenTo.ROBOT
        is_silent = session.get_one(PlayerRow, seat.player_id).unreachable_at is not None
        if transaction.running(table.id) is None or is_silent:
            seat.by_link = False
            course.give_to_robot(transaction, seat)
            return GivenTo.ROBOT
        agreeing.propose(transaction, table, Proposal(Proposed.ROBOT, now, seat=number))
        return GivenTo.PROPOSED


def _offer(runtime: Runtime, link: HostLink, number: int, newcomer: NewSeat, now: datetime) -> None:
    """Invites `newcomer` to an occupied seat, which stays occupied until they accept and the current hand is over."""
    with seating.change_table(runtime, link.table_id, now) as (transaction, table):
        _check_host(transaction, link)
        session = transaction.session
        seat = _occupied_seat(session, link, table, number)
        if is_lent(seat):
            owner, stand_in = owner_name(seat), own_name(seat)
            raise Refused(
                say(
                    "{stand_in} plays for {owner} until they are back. A robot can take the seat instead.",
                    stand_in=stand_in,
                    owner=owner,
                )
            )
        others = [other for other in table_seats(session, link.table_id) if other.seat != number]
        invited = seating.seat_for(session, link.table_id, number, newcomer, now)
        known = {seat.player_id}.union(*map(people_of, others))
        if invited.player_id is None or invited.player_id in known:
            raise Refused(say("The person with this address sits at the table, or is invited to it."))
        seating.check_name(newcomer.name, others)
        offers.offer(transaction, seat, invited.player_id, newcomer.name)
        next_number = seating.next_number(session, link.table_id)
        occasion = offers.occasion_of_invitation(session, seat)
        about_tables.queue_about_table(
            session, runtime, LetterKind.INVITATION, invited, now, occasion=occasion, number=next_number
        )


def _seat(session: Session, link: HostLink, number: int) -> SeatRow:
    """Seat `number` of the table. Raises SeatGone if there is none, or if it is the host's."""
    seat = session.get(SeatRow, (link.table_id, number))
    if seat is None or seat.player_id == link.player_id:
        raise seating.SeatGone
    return seat


def _occupied_seat(session: Session, link: HostLink, table: TableRow, number: int) -> SeatRow:
    """Seat `number`, which a player or a robot has. Raises SeatGone if nobody has it, or if it is the host's."""
    seat = _seat(session, link, number)
    if seat.state not in OCCUPIED or table.state not in OPEN_TO_CHANGE:
        raise seating.SeatGone
    return seat


# An operator's acts on a table, by the paths of its host; each is noted under the operator's name, `by`.


def pause_as_operator(runtime: Runtime, table_id: int, *, paused: bool, by: str, now: datetime) -> None:
    """Stops the clock of the running game, or starts it again with the time that was left.

    Raises LinkInvalid if there is no such table, Refused if no game is played.
    """
    with seating.change_table(runtime, table_id, now) as (transaction, table):
        session = transaction.session
        game = pause_game(transaction, table, paused=paused)
        act = OperatorAct.PAUSE if paused else OperatorAct.GO_ON
        acts.note_act(session, act, by, now, game_id=game.row.id)


def end_game_as_operator(runtime: Runtime, table_id: int, now: datetime, *, by: str) -> None:
    """Ends the running game early, and tells its players by mail that an operator has. Does nothing if none is played.

    Raises LinkInvalid if there is no such table.
    """
    with seating.change_table(runtime, table_id, now) as (transaction, _):
        if game := transaction.running(table_id):
            course.close(game, about_tables.BY_OPERATOR)
            acts.note_act(transaction.session, OperatorAct.END, by, now, game_id=game.row.id)
