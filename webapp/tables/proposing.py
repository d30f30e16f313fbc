"""A host proposes something to the other players, who see it for a while or agree; the host may withdraw it."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from sqlmodel import col, func, select

from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.core.say import later, say
from webapp.core.tokens import SeatLink
from webapp.games.clock import proposals
from webapp.games.clock.pace import set_wake
from webapp.games.clock.presence import note_seen
from webapp.games.record.changing import Transaction
from webapp.games.record.links import check_seat
from webapp.games.record.rows import table_seats
from webapp.models import LetterKind, LetterRow, PlayerRow, Proposal, Proposed, TableRow, TableState
from webapp.outbox import about_tables
from webapp.play.carrying_out import carry_out
from webapp.tables import seating

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
