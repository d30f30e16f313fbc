"""A pause of the clock as text: who asks for one, and what the reader may do."""

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.presentation.phrasing import by_number, listed


@dataclass(frozen=True, slots=True)
class PauseLine:
    """What a player's page says about a pause, and its button. `wanted` is what the button asks for."""

    note: str
    button: str
    wanted: bool


def pause_line(others: Sequence[str], *, is_asking: bool, is_paused: bool, ends: str | None = None) -> PauseLine:
    """The line for a player; `others` are the names of those who ask for a change, who are not enough yet.

    `ends` is when a pause that players have voted for ends by itself.
    """
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
    return PauseLine(" ".join(notes), button, not is_asking)
