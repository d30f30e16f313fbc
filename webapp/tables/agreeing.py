"""Does what the players of a table agree on: to pause, to play on live, and what their host proposes."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from sqlmodel import col, func, select

from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.core.say import Refused, later, say
from webapp.core.tokens import PlayLink, SeatLink
from webapp.games.clock import presence, proposals
from webapp.games.clock.clocks import set_wake
from webapp.games.clock.presence import note_seen, plays_themselves
from webapp.games.record import changing
from webapp.games.record.changing import OpenGame, Transaction
from webapp.games.record.links import check_seat
from webapp.games.record.rows import table_seats
from webapp.games.record.seats import mark_back
from webapp.models import LetterKind, LetterRow, PlayerRow, Proposal, Proposed, SeatRow, Stands, TableRow, TableState
from webapp.outbox import about_tables
from webapp.play import course
from webapp.play.course import carry_out
from webapp.tables import seating

# Lets the players of a slow game go on live, once all are there and want it, and end that again.

SOMEBODY_LEFT = later("Somebody has left, so the game goes on at its usual pace.")


def vote_live(runtime: Runtime, link: PlayLink, *, wanted: bool, now: datetime) -> None:
    """Notes whether the link's player wants to go on live. Once all want it, the game is live.

    Raises Refused if not all are there, or the game cannot go live, SeatLost or LinkExpired.
    """
    with changing.games(runtime, now) as transaction:
        game, seat = _acting(transaction, link)
        if game.table.is_together:
            return
        if not presence.may_go_live(game.table, game.seats, now):
            raise Refused(say(SOMEBODY_LEFT))
        seat.wants_live = wanted
        if not presence.waits_for(game.seats):
            course.come_together(game)


def end_live(runtime: Runtime, link: PlayLink, now: datetime) -> None:
    """Ends the live pace of a slow game, by a tap of one of its players. Does nothing if it has none.

    Raises Refused if no game is played, SeatLost or LinkExpired.
    """
    with changing.games(runtime, now) as transaction:
        game, _ = _acting(transaction, link)
        course.part(game)


# Pauses the clock of a running game, and lets it go on: the host does, or more than half of the players together.
# A pause for which players have voted runs out, and anybody at the table can end it: it holds up nobody for good. So it
# is with a game that rests because nobody played it: any player of the table may set it going, for everybody.

VOTED_LASTS = timedelta(days=7)


def vote_pause(runtime: Runtime, link: PlayLink, *, wanted: bool, now: datetime) -> None:
    """Notes whether the link's player wants the clock paused or, while it is, to go on. If more than half do, it is.

    One alone ends a pause for which players have voted, or sets a game going that rests.

    Raises Refused if no game is played, SeatLost or LinkExpired.
    """
    with changing.games(runtime, now) as transaction:
        game, seat = _acting(transaction, link)
        pause = game.table.pause
        if game.table.rests:
            mark_back(seat)
        seat.wants_pause = wanted
        are_enough = 2 * len(asking(game.seats)) > sum(map(plays_themselves, game.seats))
        if pause is None and are_enough:
            course.stop_clock(game, Stands.PLAYERS, VOTED_LASTS)
        elif pause is not None and (are_enough or (wanted and pause.is_anybodys)):
            course.start_clock(game)


def go_on(runtime: Runtime, link: SeatLink, now: datetime) -> None:
    """Ends a pause that anybody at the table may end, or does nothing. At rest, the link's player is back.

    Raises SeatLost, SeatLent or LinkExpired.
    """
    with changing.games(runtime, now) as transaction:
        game = transaction.running(link.table_id)
        if game is None or game.table.pause is None or not game.table.pause.is_anybodys:
            return
        seat = check_seat(link, game.seats[link.seat])
        note_seen(game.session, link.player_id, now)
        if game.table.rests:
            mark_back(seat)
        course.start_clock(game)


def _acting(transaction: Transaction, link: PlayLink) -> tuple[OpenGame, SeatRow]:
    """The running game, and the seat of the link's player, who does something there.

    Raises Refused if no game is played, SeatLost or LinkExpired.
    """
    game = transaction.running(link.table_id)
    # The page or mail may be older than the end of the game.
    if game is None:
        raise Refused(say("No game is played at this table just now."))
    seat = check_seat(link, game.seats[link.seat])
    note_seen(transaction.session, link.player_id, transaction.now)
    return game, seat


def asking(seats: Iterable[SeatRow]) -> list[Seat]:
    """The seats whose players want the clock paused or, while it is, to go on; away players do not count."""
    return [Seat(seat.seat) for seat in seats if seat.wants_pause and plays_themselves(seat)]


# A host proposes something to the other players, who see it for a while or agree; the host may withdraw it.

GONE = later("This proposal is over: it has been carried out or withdrawn.")
MOST: Final = 5  # proposals of a table that are mailed
WITHIN: Final = timedelta(days=1)
_WITH_OTHERS = (TableState.INVITING, TableState.PLAYING)


def propose(transaction: Transaction, table: TableRow, proposal: Proposal) -> bool:
    """Proposes that to the other players, in place of a proposal about the same, and queues one mail to each of them.

    With no other player it is carried out at once, and so is a new pace between two games. Returns whether the others
    have to see it first. To propose the same again does nothing. Raises Refused after too many within a day.
    """
    session, now, seats = transaction.session, transaction.now, table_seats(transaction.session, table.id)
    game, others = transaction.running(table.id), proposals.others(table, seats)
    if not others or table.state not in _WITH_OTHERS:
        carry_out(transaction, table, seats, game, proposal)
        return False
    before = proposals.similar(table, proposal)
    if before is not None and before.pace == proposal.pace:
        return True
    mailed = select(func.count(func.distinct(LetterRow.about))).where(LetterRow.table_id == table.id)
    mailed = mailed.where(LetterRow.kind == LetterKind.PROPOSED, col(LetterRow.created_at) > now - WITHIN)
    if session.exec(mailed).one() >= MOST:
        raise Refused(say("The others have got five proposals of yours within a day. Wait a little with the next."))
    if proposal.what is not Proposed.PACE:
        players = [session.get_one(PlayerRow, seat.player_id) for seat in others]
        proposal = replace(proposal, ends_at=proposals.ends_at(players, now))
    proposals.put(table, proposal)
    if game is not None:
        set_wake(game.stored, now)
    for seat in others:
        about_tables.queue_proposed(session, transaction.runtime, seat, proposal, now)
    return True


def agree(runtime: Runtime, link: SeatLink, key: str, now: datetime) -> None:
    """Notes that the link's player agrees to the proposal of that key; once enough do, it is carried out.

    Raises Refused if it is over, LinkInvalid, SeatLost, SeatLent or LinkExpired.
    """
    with seating.change_table(runtime, link.table_id, now) as (transaction, table):
        seats = table_seats(transaction.session, table.id)
        seat = check_seat(link, seats[link.seat])
        note_seen(transaction.session, link.player_id, now)
        proposal = proposals.of_key(table, key)
        if proposal is None or seat not in proposals.others(table, seats):
            raise Refused(GONE)
        proposal = proposals.agree(table, proposal, link.player_id)
        if proposals.is_agreed(table, seats, proposal):
            carry_out(transaction, table, seats, transaction.running(table.id), proposal)
