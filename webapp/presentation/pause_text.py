"""A pause of the clock as text: why it is, who asks for one or for its end, and what the reader may do."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from webapp.models import Pause, Stands
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


def pause_line(others: Sequence[str], *, is_asking: bool, is_paused: bool, anybodys: str = "") -> PauseLine:
    """The line for a player; `others` are the names of those who ask for a change, who are not enough yet.

    `anybodys` is what `pause_note` says.
    """
    if anybodys:
        return PauseLine(anybodys, GO_ON, wanted=True)
    if is_paused:
        note = by_number(
            len(others),
            f"{listed(others)} wants the game to go on.",
            f"{listed(others)} want the game to go on.",
        )
        mine = "You want the game to go on. It does once more than half of the players want it."
        button = "Leave it paused" if is_asking else GO_ON
    else:
        note = by_number(len(others), f"{listed(others)} asks for a pause.", f"{listed(others)} ask for a pause.")
        mine = "You ask for a pause. It begins once more than half of the players want one."
        button = "No pause after all" if is_asking else "Ask for a pause"
    notes = [*([note] if others else []), *([mine] if is_asking else [])]
    return PauseLine(" ".join(notes), button, not is_asking, is_idle=not (notes or is_paused))


def pause_note(pause: Pause | None, now: datetime, zone: str) -> str:
    """Says why there is a pause that anybody at the table may end, and what ends it else; empty if there is none."""
    if pause is None or pause.until is None:
        return ""
    ends = timestamp(pause.until, now, zone).text
    if pause.why is Stands.REST:
        why = "Nobody is playing, so the game rests: no clock runs, and no robot plays."
        return f"{why} Anybody at the table can let it go on. Otherwise it is over on {ends}."
    return f"Players asked for this pause. Anybody at the table can let the game go on; else it does so on {ends}."
