"""Suggestions, at tables that allow them: what the robot would do in the player's place, why, and the alternatives.

The robot knows only what the player's own page shows. For the same decision it always gives the same suggestion.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from hearts.cards import parse_code
from hearts.review import alternative_text
from hearts.robot import Choice
from hearts.seats import Seat
from hearts.turns import Moon, MoonChoice, Pass, Turn
from webapp.core.say import later, say
from webapp.games.asked.due import due_of
from webapp.games.record.store import TableGame
from webapp.presentation.faces import Face, face, said
from webapp.robots.engine import engine
from webapp.robots.thinking import advise

ASKED: Final = "suggest"  # the query parameter of a page that shows a suggestion
MAX_PASSES_SHOWN: Final = 6  # of dozens
_MOON: Final = {
    MoonChoice.ADD: later("The points to everybody else"),
    MoonChoice.SUBTRACT: later("The points off your own total"),
}
_WOULD: Final = {
    MoonChoice.ADD: later("The robot would give the points to everybody else"),
    MoonChoice.SUBTRACT: later("The robot would have the points taken off"),
}


@dataclass(frozen=True, slots=True)
class Alternative:
    """One option, and the points in this hand to which it leads on average."""

    faces: tuple[Face, ...]
    text: str  # if it is no choice of cards
    points: str  # "3.1"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The robot's choice in a player's place."""

    is_pass: bool
    moon: str  # what it would do, as a heading, if it is about a moon
    best: Alternative
    reason: str
    alternatives: tuple[Alternative, ...]  # the best first; empty if there was only one option


@dataclass(frozen=True, slots=True)
class RobotHelp:
    """The help on a page of a table that allows suggestions: a link that asks for one, and the suggestion if asked."""

    link: str
    suggestion: Suggestion | None


def robot_help(stored: TableGame, seat: Seat, *, asked: bool, chosen: Sequence[str]) -> RobotHelp | None:
    """The help on the page of `seat`, whose turn it must be; None if its table allows no suggestions.

    `chosen` are the cards in the page's query, which the link keeps.
    """
    if not stored.table.suggestions:
        return None
    link = "?" + urlencode([*(("card", card) for card in chosen), (ASKED, "1")])
    if not asked:
        engine.start()  # before somebody waits for it
        return RobotHelp(link, None)
    return RobotHelp(link, suggestion(stored, seat))


def suggestion(stored: TableGame, seat: Seat) -> Suggestion:
    """Returns the robot's choice for `seat`, whose turn it must be."""
    due = due_of(stored.game, seat)
    assert due is not None
    seed = zlib.crc32(f"{stored.id} {due.hand} {due.what} {seat}".encode())
    return suggestion_of(advise(stored.game, seat, seed))


def suggestion_of(choice: Choice) -> Suggestion:
    """A choice of the robot as a suggestion."""
    turn = choice.turn
    chosen = alternative_text(turn)
    others = sorted((points, text) for text, points in choice.expected.items() if text != chosen)
    ranked = [(choice.expected.get(chosen), chosen), *others]
    lines = [_alternative(turn, text, points) for points, text in ranked]
    shown = lines[:MAX_PASSES_SHOWN] if isinstance(turn, Pass) else lines
    return Suggestion(
        is_pass=isinstance(turn, Pass),
        moon=say(_WOULD[turn.choice]) if isinstance(turn, Moon) else "",
        best=lines[0],
        reason=said(choice.why),
        alternatives=tuple(shown) if len(shown) > 1 else (),
    )


def _alternative(turn: Turn, text: str, points: float | None) -> Alternative:
    figure = "" if points is None else f"{round(points, 1) + 0:.1f}"  # + 0 turns -0.0 into 0.0
    if isinstance(turn, Moon):
        return Alternative((), say(_MOON[MoonChoice(text)]), figure)
    return Alternative(tuple(face(parse_code(code)) for code in text.split()), "", figure)
