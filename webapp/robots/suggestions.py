"""What the robot would do in a player's place, where her table allows the question: card, reason, and alternatives.

It knows what the player's own page shows. Asked again about the same decision it says the same.
"""

import threading
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final
from urllib.parse import urlencode

from hearts.cards import parse_code
from hearts.review import alternative_text
from hearts.robot import Choice, warm_up
from hearts.seats import Seat
from hearts.turns import Moon, MoonChoice, Pass, Turn
from webapp.games.due import due_of
from webapp.games.store import Stored
from webapp.presentation.faces import Face, face
from webapp.robots.thinking import advise

ASKED: Final = "suggest"  # in the address of a page that shows a suggestion
PASSES_TOLD: Final = 6  # there are dozens
_MOON: Final = {
    MoonChoice.ADD: "give the points to everybody else",
    MoonChoice.SUBTRACT: "have the points taken off your own total",
}


@dataclass(frozen=True, slots=True)
class Alternative:
    """One thing to do, and the points of this hand that it comes to on average."""

    faces: tuple[Face, ...]
    words: str  # where there are no cards
    points: str  # "3.1"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What the robot would do."""

    would: str  # "play", "pass"; empty where `best` has words
    best: Alternative
    reason: str
    alternatives: tuple[Alternative, ...]  # the best first; none where there was nothing to weigh


@dataclass(frozen=True, slots=True)
class RobotHelp:
    """What a page of a table that allows suggestions offers: the way to ask, then the answer."""

    link: str
    suggestion: Suggestion | None


def robot_help(stored: Stored, seat: Seat, *, asked: bool, chosen: Sequence[str]) -> RobotHelp | None:
    """What the page of `seat`, which must be awaited, offers; None where its table has no suggestions.

    `chosen` are the cards that the address of the page names, which the way to ask goes on naming.
    """
    if not stored.table.suggestions:
        return None
    link = "?" + urlencode([*(("card", card) for card in chosen), (ASKED, "1")])
    if not asked:
        start_engine()
        return RobotHelp(link, None)
    return RobotHelp(link, suggestion(stored, seat))


def suggestion(stored: Stored, seat: Seat) -> Suggestion:
    """What the robot would do for `seat`, which must be awaited."""
    due = due_of(stored.game, seat)
    assert due is not None
    seed = zlib.crc32(f"{stored.id} {due.hand} {due.what} {seat}".encode())
    return told(advise(stored.game, seat, seed))


def told(choice: Choice) -> Suggestion:
    """A choice in words and faces."""
    turn = choice.turn
    chosen = alternative_text(turn)
    others = sorted((points, text) for text, points in choice.expected.items() if text != chosen)
    ranked = [(choice.expected.get(chosen), chosen), *others]
    lines = [_alternative(turn, text, points) for points, text in ranked]
    shown = lines[:PASSES_TOLD] if isinstance(turn, Pass) else lines
    return Suggestion(
        would="" if isinstance(turn, Moon) else "pass" if isinstance(turn, Pass) else "play",
        best=lines[0],
        reason=choice.why,
        alternatives=tuple(shown) if len(shown) > 1 else (),
    )


def _alternative(turn: Turn, text: str, points: float | None) -> Alternative:
    figure = "" if points is None else f"{round(points, 1) + 0:.1f}"  # the nought for "-0.0"
    if isinstance(turn, Moon):
        return Alternative((), _MOON[MoonChoice(text)], figure)
    return Alternative(tuple(face(parse_code(code)) for code in text.split()), "", figure)


@cache
def start_engine() -> None:
    """Has the robot's inner loop loaded beside the work of this process, once, before somebody waits for it.

    Not when the process starts: it takes memory, which a process whose tables have no suggestions can do without.
    """
    threading.Thread(target=warm_up, name="robot", daemon=True).start()
