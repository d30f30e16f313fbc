"""Guests who came by the link that a host sends by messenger, at a table whose game has not begun."""

from collections.abc import Sequence

from webapp.models import SeatRow, SeatState, TableRow, TableState

READY = {SeatState.HOST, SeatState.ACCEPTED, SeatState.ROBOT}


def waits_for_host(table: TableRow, seats: Sequence[SeatRow]) -> bool:
    """Whether everybody is there, and the host, who has not seen yet who came by their link, has to deal."""
    is_full = all(seat.state in READY for seat in seats)
    return table.state is TableState.INVITING and is_full and any(map(is_guest, seats))


def is_guest(seat: SeatRow) -> bool:
    """Whether somebody sits there who came by the host's link."""
    return seat.by_link and seat.state is SeatState.ACCEPTED
