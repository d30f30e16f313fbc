"""Lines of score sheets with given events, and who took the queen there."""

from hearts.facts import How, QueenTaken
from hearts.rules import preset_rules
from hearts.score import HandScore
from hearts.seats import Seat

ANN, BO, CY, DI = map(Seat, range(4))
NO_QUEEN = preset_rules("classic", queen_points=0)


def line(**said: object) -> HandScore:
    """A line of a score sheet of four, dealt by Ann, with only the given events."""
    four = (0, 0, 0, 0)
    blank = {"number": 1, "dealer": Seat(0), "taken": four, "tricks_won": (4, 3, 3, 3), "queens": four, "jacks": four}
    blank |= {"moon": None, "moon_choice": None, "sun": False, "points": four, "fifties": (), "totals": four}
    return HandScore(**{**blank, **said})  # type: ignore[arg-type]


CY_TOOK_HER = line(queens=(0, 0, 1, 0), taken=(3, 1, 18, 4))


def taken(how: How, by: Seat | None, seat: Seat = CY, trick: int = 9) -> QueenTaken:
    return QueenTaken(seat, trick, by, how)
