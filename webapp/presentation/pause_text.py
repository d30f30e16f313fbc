"""A pause of the clock as text: who asks for one, and what the reader may do; likewise a game at rest."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from webapp.models import TableRow
from webapp.presentation.phrasing import by_number, listed
from webapp.presentation.timestamps import timestamp

GO_ON = "Let the game go on"


@dataclass(frozen=True, slots=True)
class PauseLine:
    """A line on a pause for a player's page, and its button. `wanted` is what the button asks for."""

    note: str
    button: str
    wanted: bool
    is_idle: bool = False  # the clock runs, and nobody has asked for anything


def pause_line(
    others: Sequence[str], *, is_asking: bool, is_paused: bool, ends: str | None = None, rest: str | None = None
) -> PauseLine:
    """The line for a player; `others` are the names of those who ask for a change, who are not enough yet.

    `ends` is when a pause that players have voted for ends by itself, `rest` what is said of a game at rest.
    """
    if rest:
        return PauseLine(rest, GO_ON, wanted=True)
    if ends:
        note = f"Players asked for this pause. Anybody at the table can end it; it ends by itself on {ends}."
        return PauseLine(note, "Let the clock go on", wanted=True)
    if is_paused:
        note = by_number(
            len(others),
            f"{listed(others)} wants the clock to go on.",
            f"{listed(others)} want the clock to go on.",
        )
        mine = "You want the clock to go on. It does once more than half of the players want it."
        button = "Leave it paused" if is_asking else "Let the clock go on"
    else:
        note = by_number(len(others), f"{listed(others)} asks for a pause.", f"{listed(others)} ask for a pause.")
        mine = "You ask for a pause. It begins once more than half of the players want one."
        button = "No pause after all" if is_asking else "Ask for a pause"
    notes = [*([note] if others else []), *([mine] if is_asking else [])]
    return PauseLine(" ".join(notes), button, not is_asking, is_idle=not (notes or is_paused))


def rest_note(table: TableRow, now: datetime, zone: str) -> str:
    """Says when the game at rest ends, and how it goes on."""
    assert table.pause_ends_at is not None
    ends = timestamp(table.pause_ends_at, now, zone).text
    why = "Nobody is playing, so the game rests: no clock runs, and no robot plays."
    return f"{why} Anybody at the table can let it go on. Otherwise it is over on {ends}."
