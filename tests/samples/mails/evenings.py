"""An evening together: the vote, the appointment, and why it does not take place."""

from dataclasses import replace
from typing import Any

from tests.samples.cast import CAST, NASTY, NOW
from tests.samples.evenings import BERLIN, EVENING_LINK, HOURS, evening, seats
from tests.samples.mails.frames import TO_DI, TO_NASTY
from tests.samples.rendering import MailSample
from webapp.evenings.text import hour_lines
from webapp.models import EveningState
from webapp.presentation.timestamps import hour_text, timestamp
from worker.attachments import Calendar
from worker.mails.evening import EveningMail

COMMON: dict[str, Any] = {
    "who": "Ann",
    "pace": "1 minute",
    "zone": BERLIN,
    "link": EVENING_LINK,
    "is_beside": False,
    "when": None,
    "cancelled_by": None,
    "is_none": False,
    "is_game_over": False,
}
WHEN = hour_text(HOURS[0], BERLIN)
ENTRY = [Calendar("REQUEST", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n")]


def mails() -> dict[str, MailSample]:
    return {**_asked(), **_agreed(), **_off()}


def _asked() -> dict[str, MailSample]:
    nasty = replace(EveningMail(**TO_NASTY, **COMMON, **_offered(NASTY)), who=NASTY[0])
    return {
        "evening-asked": ("evening_asked", EveningMail(**TO_DI, **COMMON, **_offered(CAST))),
        "evening-asked-nasty": ("evening_asked", nasty),
    }


def _offered(names: tuple[str, ...]) -> dict[str, Any]:
    row, seated = evening(EveningState.OPEN), seats(names)
    lines = hour_lines(row, seated, seated[3], BERLIN, None)
    return {
        "hours": [(one, f"{EVENING_LINK}?hour={one.value}") for one in lines],
        "closes": timestamp(row.closes_at, NOW, BERLIN),
    }


def _agreed() -> dict[str, MailSample]:
    agreed = replace(EveningMail(**TO_DI, **COMMON), enclosed=ENTRY, when=WHEN)
    return {
        "evening-agreed": ("evening_agreed", agreed),
        "evening-agreed-beside": ("evening_agreed", replace(agreed, is_beside=True)),
    }


def _off() -> dict[str, MailSample]:
    off = EveningMail(**TO_DI, **COMMON)
    called_off = replace(off, cancelled_by="Cy", when=WHEN)
    nasty = replace(EveningMail(**TO_NASTY, **COMMON), cancelled_by=NASTY[2], when=WHEN)
    return {
        "evening-off": ("evening_off", replace(called_off, enclosed=ENTRY)),
        "evening-off-nasty": ("evening_off", nasty),
        "evening-off-vote": ("evening_off", replace(off, cancelled_by="Ann")),
        "evening-off-none": ("evening_off", replace(off, is_none=True)),
        "evening-off-game-over": ("evening_off", replace(called_off, is_game_over=True)),
    }
