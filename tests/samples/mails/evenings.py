"""An evening together: the vote, the appointment, and why it does not take place."""

from typing import Any

from tests.samples.cast import CAST, NASTY, NOW
from tests.samples.evenings import BERLIN, EVENING_LINK, HOURS, evening, seats
from tests.samples.mails.frames import TO_DI, TO_NASTY
from tests.samples.rendering import Sample
from webapp.evenings.text import hour_lines
from webapp.models import EveningState
from webapp.presentation.timestamps import hour_text, timestamp
from worker.attachments import Calendar

COMMON: dict[str, Any] = {"who": "Ann", "pace": "1 minute", "zone": BERLIN, "link": EVENING_LINK, "is_beside": False}
WHEN = hour_text(HOURS[0], BERLIN)
ENTRY = {"enclosed": [Calendar("REQUEST", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n")]}


def mails() -> dict[str, Sample]:
    return {**_asked(), **_agreed(), **_off()}


def _asked() -> dict[str, Sample]:
    return {
        "evening-asked": ("evening_asked", {**TO_DI, **COMMON, **_offered(CAST)}),
        "evening-asked-nasty": ("evening_asked", {**TO_NASTY, **COMMON, **_offered(NASTY), "who": NASTY[0]}),
    }


def _offered(names: tuple[str, ...]) -> dict[str, Any]:
    row, seated = evening(EveningState.OPEN), seats(names)
    lines = hour_lines(row, seated, seated[3], BERLIN, None)
    return {
        "hours": [(one, f"{EVENING_LINK}?hour={one.value}") for one in lines],
        "closes": timestamp(row.closes_at, NOW, BERLIN),
    }


def _agreed() -> dict[str, Sample]:
    agreed = {**TO_DI, **COMMON, **ENTRY, "when": WHEN}
    return {
        "evening-agreed": ("evening_agreed", agreed),
        "evening-agreed-beside": ("evening_agreed", {**agreed, "is_beside": True}),
    }


def _off() -> dict[str, Sample]:
    off = {**COMMON, "is_none": False, "is_game_over": False, "cancelled_by": None, "when": None}
    called_off = {**off, "cancelled_by": "Cy", "when": WHEN}
    return {
        "evening-off": ("evening_off", {**TO_DI, **called_off, **ENTRY}),
        "evening-off-nasty": ("evening_off", {**TO_NASTY, **called_off, "cancelled_by": NASTY[2]}),
        "evening-off-vote": ("evening_off", {**TO_DI, **off, "cancelled_by": "Ann"}),
        "evening-off-none": ("evening_off", {**TO_DI, **off, "is_none": True}),
        "evening-off-game-over": ("evening_off", {**TO_DI, **called_off, "is_game_over": True}),
    }
