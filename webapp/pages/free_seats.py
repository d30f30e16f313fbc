"""Shows a host, on the table page, the seats that they may give to others before the game."""

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.core.tokens import SeatLink
from webapp.games.record.guests import is_guest
from webapp.models import SeatRow, SeatState, TableRow, TableState
from webapp.presentation.sheets import seat_word
from webapp.presentation.summary import BY_LINK
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
    """The host's tools for free seats; `fill_action` is None if no seat is open to anybody."""

    seats: list[OpenSeat]
    action: str
    remind_action: str
    fill_action: str | None
    fill_text: str


def host_tools(
    token: str, link: SeatLink, table: TableRow, seats: Sequence[SeatRow], unreachable: set[int]
) -> HostTools | None:
    if link.player_id != table.host_id or table.state is not TableState.INVITING:
        return None
    free = [seat for seat in seats if seat.state in seating.FREE and seat.player_id != table.host_id]
    lines = [OpenSeat(seat.seat, seat.name, _free_state(seat, unreachable)) for seat in free]
    waiting = [line for line in lines if line.state not in (SeatState.OPEN.value, BY_LINK)]
    is_open = len(waiting) < len(lines)
    begins = not waiting and not any(map(is_guest, seats))
    fill_text = "Fill the open seats with robots and begin" if begins else "Fill the open seats with robots"
    path = f"/seat/{token}"
    return HostTools(lines, f"{path}/fill", f"{path}/remind", f"{path}/robots" if is_open else None, fill_text)


def _free_state(seat: SeatRow, unreachable: set[int]) -> str:
    """Why the seat is free, as a word that the template knows."""
    is_asked = seat.player_id is not None and not seat.has_run_out
    return UNREACHABLE_STATE if is_asked and seat.seat in unreachable else seat_word(seat)
