"""Finds whom a host is about to invite, and which of these guests do not know the host yet."""

from collections.abc import Sequence

from sqlmodel import Session, col, select

from webapp.core.tokens import LinkInvalid
from webapp.forms.opening import NewSeat
from webapp.models import PlayerRow, SeatRow, SeatState, TableRow, TableState


def invited_by_confirming(session: Session, table_id: int) -> tuple[int, list[NewSeat]]:
    """The id of the table's host, and the guests to be mailed when the host confirms the table.

    There are no guests if the host has already confirmed. Raises LinkInvalid if there is no such table.
    """
    table = session.get(TableRow, table_id)
    if table is None:
        raise LinkInvalid
    if table.state is not TableState.UNCONFIRMED:
        return table.host_id, []
    query = (
        select(SeatRow.name, PlayerRow.address)
        .where(SeatRow.player_id == PlayerRow.id, SeatRow.table_id == table_id)
        .where(SeatRow.state == SeatState.INVITED, col(PlayerRow.invitations))
        .order_by(col(SeatRow.seat))
    )
    return table.host_id, [NewSeat(name, address) for name, address in session.exec(query)]


def invited_by_giving(session: Session, table_id: int, number: int, occupant: NewSeat | None) -> list[NewSeat]:
    """The guests to be mailed when the host gives seat `number` to `occupant`: one player, or nobody.

    Nobody if `occupant` is a robot (None) or OPEN_SEAT. Nobody if the seat is already offered to that player, so that
    a second click does not count against the limit.
    """
    if occupant is None or occupant.address is None:
        return []
    seat = session.get(SeatRow, (table_id, number))
    offered_to = session.get(PlayerRow, seat.offered_to) if seat and seat.offered_to else None
    return [] if offered_to and offered_to.address == occupant.address else [occupant]


def strangers(session: Session, host_id: int, guests: Sequence[NewSeat]) -> list[NewSeat]:
    """The `guests` who have accepted no seat at any table of this host."""
    query = (
        select(PlayerRow.address)
        .join(SeatRow, col(SeatRow.player_id) == PlayerRow.id)
        .join(TableRow, col(TableRow.id) == SeatRow.table_id)
        .where(TableRow.host_id == host_id, SeatRow.state == SeatState.ACCEPTED)
        .where(col(PlayerRow.address).in_([guest.address for guest in guests]))
    )
    friends = set(session.exec(query))
    return [guest for guest in guests if guest.address not in friends]
