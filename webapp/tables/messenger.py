"""The link that a host sends by messenger: what it shows of the table, who has come by it, and what the host decides.

A guest who opens it asks for a seat and proves their address as in the lobby; `lobby` gives the seat. The host can take
the link back, can refuse each of these guests, and deals the first hand when they have seen who is there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from webapp.core.names import bare, isolated
from webapp.core.runtime import Runtime
from webapp.core.say import say, say_many
from webapp.core.tokens import LinkInvalid, MessengerLink, PlayLink, SeatLink
from webapp.forms.opening import LINK_SEAT
from webapp.games.record.rows import READY, table_seats, waits_for_host
from webapp.games.record.seats import owner_name, shown_as
from webapp.models import SeatRow, SeatState, TableRow, TableState
from webapp.outbox.about_tables import SeatGiven
from webapp.play.seat_transfer import Occupant, transfer_seat
from webapp.presentation.phrasing import listed
from webapp.presentation.sheets import summary_of
from webapp.presentation.summary import TableSummary
from webapp.tables import lobby, seating
from webapp.tables.lobby import NoOpenSeat


@dataclass(frozen=True, slots=True)
class LinkedTable:
    """A table as a person with the host's link sees it: with the first names of those who sit there."""

    table_id: int
    host_name: str
    hosts: str  # "Ann's table"
    company: str  # who sits there, and how many seats are free, in sentences
    summary: TableSummary


@dataclass(frozen=True, slots=True)
class Guests:
    """The guests of the host's link before the deal, as the host sees them."""

    link: MessengerLink | None  # None: no seat is left for it
    came: tuple[tuple[int, str], ...]  # number and name of the seats of those who came by it and proved their address
    may_deal: bool  # everybody is there, and the game waits for the host


def linked_table(session: Session, link: MessengerLink) -> LinkedTable:
    """The table of the link. Raises LinkInvalid if there is none, NoOpenSeat if it gives no seat any more."""
    table = session.get(TableRow, link.table_id)
    if table is None:
        raise LinkInvalid
    seats = table_seats(session, link.table_id)
    free = lobby.open_seats(table, seats, link.number)
    if not free:
        raise NoOpenSeat(lobby.why_closed(table, link.number), is_by_link=True)
    summary = summary_for_guests(table, seats)
    people = [seat.name for seat in summary.seats if seat.state in ("host", "accepted")]
    robots = [say("{name} (robot)", name=seat.name) for seat in summary.seats if seat.state == "robot"]
    names = listed(people + robots)
    there = say_many(len(people + robots), "{names} sits there.", "{names} sit there.", names=names)
    left = say_many(len(free), "One seat is free.", "{number} seats are free.")
    return LinkedTable(table.id, summary.seats[0].name, summary.name, f"{there} {left}", summary)


def summary_for_guests(table: TableRow, seats: Sequence[SeatRow]) -> TableSummary:
    """The table as a person with the host's link sees it: with the first names of those who sit there, and no name of
    those who were invited.
    """
    shown = []
    for seat in seats:
        name = seat.name
        if seat.player_id is not None and seat.state in READY:
            name = isolated(bare(owner_name(seat)).split()[0])
        elif seat.player_id is not None:
            name = say("Player {number}", number=seat.seat + 1)
        shown.append(shown_as(seat, name))
    return summary_of(table, shown)


def guests_of(table: TableRow, seats: Sequence[SeatRow]) -> Guests | None:
    """Returns the guests of the host's link; None if the table has no such link, or its game has begun."""
    by_link = [seat for seat in seats if seat.by_link and seat.state in (SeatState.OPEN, SeatState.ACCEPTED)]
    if table.state is not TableState.INVITING or not by_link:
        return None
    came = tuple((seat.seat, seat.name) for seat in by_link if seat.state is SeatState.ACCEPTED)
    link = MessengerLink(table.id, table.link_number) if len(came) < len(by_link) else None
    return Guests(link, came, may_deal=waits_for_host(table, seats))


def refuse(runtime: Runtime, link: SeatLink | PlayLink, number: int, now: datetime) -> None:
    """The host frees the seat of somebody who came by their link and may not come back; queues a mail to them.

    Raises SeatGone if nobody sits there who did, or the link is not the host's, LinkInvalid if there is no such table.
    """
    with seating.change_table(runtime, link.table_id, now) as (transaction, table):
        seating.check_own_table(transaction.session, link, table)
        seat = transaction.session.get(SeatRow, (link.table_id, number))
        is_guest = seat is not None and seat.by_link and seat.state is SeatState.ACCEPTED
        if seat is None or not is_guest or table.state is not TableState.INVITING:
            raise seating.SeatGone
        table.refused = [*(table.refused or ()), seat.player_id or 0]
        free = Occupant(None, LINK_SEAT.name, SeatState.OPEN)
        transfer_seat(transaction, seat, free, None, SeatGiven.REFUSED)


def take_link_back(runtime: Runtime, link: SeatLink | PlayLink, number: int, now: datetime) -> None:
    """Ends the host's link of that `number`, and what was mailed to those who asked by it; there is a new one then.

    Does nothing if another link has replaced it. Raises SeatGone, LinkInvalid, as `refuse` does.
    """
    with seating.change_table(runtime, link.table_id, now) as (transaction, table):
        seating.check_own_table(transaction.session, link, table)
        if table.link_number == number:
            table.link_number += 1


def deal(runtime: Runtime, link: SeatLink | PlayLink, now: datetime) -> None:
    """The host, who has seen who came by their link, begins the game; nothing happens while a seat is free.

    Raises SeatGone, LinkInvalid, as `refuse` does.
    """
    with seating.change_table(runtime, link.table_id, now) as (transaction, table):
        seating.check_own_table(transaction.session, link, table)
        seats = table_seats(transaction.session, link.table_id)
        if waits_for_host(table, seats):
            for seat in seats:
                seat.by_link = False
