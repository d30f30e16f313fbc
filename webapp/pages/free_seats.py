"""Shows a host, on the table page, the seats that they may give to others before the game."""

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.core.tokens import SeatLink
from webapp.models import SeatRow, SeatState, TableRow, TableState
from webapp.presentation.sheets import seat_word
from webapp.tables import seating

UNREACHABLE_STATE = "unreachable"


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """A free seat, which the host may give to somebody else."""

    seat: int
    name: str
    state: str


@dataclass(frozen=True, slots=True)
class HostTools:
    """The host's tools for free seats."""

    seats: list[OpenSeat]
    action: str
    remind_action: str
    is_listed: bool  # the lobby shows a seat for anybody


def host_tools(
    token: str, link: SeatLink, table: TableRow, seats: Sequence[SeatRow], unreachable: set[int]
) -> HostTools | None:
    if link.player_id != table.host_id or table.state is not TableState.INVITING:
        return None
    free = [seat for seat in seats if seat.state in seating.FREE and seat.player_id != table.host_id]
    lines = [OpenSeat(seat.seat, seat.name, _free_state(seat, unreachable)) for seat in free]
    is_listed = any(line.state == SeatState.OPEN for line in lines)
    return HostTools(lines, f"/seat/{token}/fill", f"/seat/{token}/remind", is_listed)


def _free_state(seat: SeatRow, unreachable: set[int]) -> str:
    """Why the seat is free, as a word that the template knows."""
    is_asked = seat.player_id is not None and not seat.has_run_out
    return UNREACHABLE_STATE if is_asked and seat.seat in unreachable else seat_word(seat)
