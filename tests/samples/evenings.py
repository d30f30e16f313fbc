"""An evening together that Ann proposes: its row, its hours, and the seats of its players."""

from datetime import timedelta
from typing import Any

from tests.samples.cast import NOW
from webapp.models import EveningRow, EveningState, SeatRow, SeatState

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
