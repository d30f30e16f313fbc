"""Lines of score sheets with given events."""

from hearts.rules import preset_rules
from hearts.score import HandScore
from hearts.seats import Seat

NO_QUEEN = preset_rules("classic", queen_points=0)


def line(**said: object) -> HandScore:
    """A line of a score sheet of four, dealt by Ann, with only the given events."""
    four = (0, 0, 0, 0)
    blank = {"number": 1, "dealer": Seat(0), "taken": four, "tricks_won": (4, 3, 3, 3), "queens": four, "jacks": four}
    blank |= {"moon": None, "moon_choice": None, "sun": False, "points": four, "fifties": (), "totals": four}
    return HandScore(**{**blank, **said})  # type: ignore[arg-type]
