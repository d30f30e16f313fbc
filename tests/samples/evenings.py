"""An evening together that Ann proposes: its row, its hours, and the seats of its players."""

from datetime import timedelta
from typing import Any

from tests.samples.hands import CAST, NASTY, NOW, Sample
from webapp.models import EveningRow, EveningState, SeatRow, SeatState
from webapp.presentation.evening_text import hour_lines
from webapp.presentation.timestamps import hour_text, timestamp
from worker.attachments import Calendar

BERLIN = "Europe/Berlin"
HOURS = [NOW + timedelta(hours=hours) for hours in (1, 25, 49.5)]
EVENING_LINK = "https://hearts.example/evening/WzEsNywyLDUsMV0.aZxY81.e2Wq3rT6yU1iO4pA7s"


def evening(state: EveningState, *, proposed_by: int = 1, **more: Any) -> EveningRow:
    """An evening that Ann proposes; Bo can come at all hours, Cy at the first two."""
    hours = [hour.isoformat() for hour in HOURS]
    moments = {"closes_at": HOURS[1], "due_at": HOURS[1], "created_at": NOW, "changed_at": NOW}
    votes = {str(proposed_by): hours, "2": hours, "3": hours[:2]}
    asked = {"table_id": 1, "game_id": 1, "proposed_by": proposed_by, "name": "Ann", "pace_seconds": 60}
    return EveningRow(id=1, state=state, hours=hours, votes=votes, **asked, **moments, **more)


def seats(names: tuple[str, ...]) -> list[SeatRow]:
    return [
        SeatRow(table_id=1, seat=seat, player_id=seat + 1, name=name, state=SeatState.ACCEPTED)
        for seat, name in enumerate(names)
    ]


def evening_mails(frame: dict[str, Any], nasty: dict[str, Any]) -> dict[str, Sample]:
    """The mails about an evening; `frame` is the context of every mail about a table."""
    when = hour_text(HOURS[0], BERLIN)
    common = {"who": "Ann", "pace": "1 minute", "zone": BERLIN, "link": EVENING_LINK, "is_beside": False}
    entry = {"enclosed": [Calendar("REQUEST", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n")]}
    off = {**common, "is_none": False, "is_game_over": False, "cancelled_by": None, "when": None}
    called_off = {**off, "cancelled_by": "Cy", "when": when}
    return {
        "evening-asked": ("evening_asked", {**frame, **common, **_offered(CAST)}),
        "evening-asked-nasty": ("evening_asked", {**nasty, **common, **_offered(NASTY), "who": NASTY[0]}),
        "evening-agreed": ("evening_agreed", {**frame, **common, **entry, "when": when}),
        "evening-agreed-beside": ("evening_agreed", {**frame, **common, **entry, "when": when, "is_beside": True}),
        "evening-off": ("evening_off", {**frame, **called_off, **entry}),
        "evening-off-nasty": ("evening_off", {**nasty, **called_off, "cancelled_by": NASTY[2]}),
        "evening-off-vote": ("evening_off", {**frame, **off, "cancelled_by": "Ann"}),
        "evening-off-none": ("evening_off", {**frame, **off, "is_none": True}),
        "evening-off-game-over": ("evening_off", {**frame, **called_off, "is_game_over": True}),
    }


def _offered(names: tuple[str, ...]) -> dict[str, Any]:
    row, seated = evening(EveningState.OPEN), seats(names)
    lines = hour_lines(row, seated, seated[3], BERLIN, None)
    return {
        "hours": [(one, f"{EVENING_LINK}?hour={one.value}") for one in lines],
        "closes": timestamp(row.closes_at, NOW, BERLIN),
    }
