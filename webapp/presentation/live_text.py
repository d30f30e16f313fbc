"""Playing on live as text: what the pages of a slow game say of it to one player, and what their button does."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from webapp.games.clock import together
from webapp.games.clock.presence import plays_themselves
from webapp.models import SeatRow, TableRow
from webapp.presentation.phrasing import by_number, listed
from webapp.presentation.timestamps import span


@dataclass(frozen=True, slots=True)
class LiveLine:
    """A line for a player's page, and its button, which asks for `wants`: "yes", "no" or "end"."""

    note: str
    button: str
    wants: str


def live_line(table: TableRow, seats: Sequence[SeatRow], reader: SeatRow, now: datetime) -> LiveLine | None:
    """The line for the player of the seat `reader`; None while not everybody is there, or at a live table."""
    if table.is_together:
        note = f"You play live: {span(table.play_time)} for each card, until somebody leaves."
        return LiveLine(note, "Back to the usual pace", "end")
    if not plays_themselves(reader) or not together.may_go_live(table, seats, now):
        return None
    if reader.wants_live:
        missing = listed([seats[seat].name for seat in together.waits_for(seats)])
        return LiveLine(f"You want to play on live. We wait for {missing}.", "Not now", "no")
    names = [seat.name for seat in seats if seat.wants_live and plays_themselves(seat)]
    who = listed(names)
    wish = by_number(len(names), f"{who} wants to play on live.", f"{who} want to play on live.")
    pace = span(together.PACE)
    note = f"{wish} Then each card has {pace}." if names else f"Everybody is here. Live, each card has {pace}."
    return LiveLine(note, "Play on live", "yes")
