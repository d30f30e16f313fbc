"""The robot plays for a seat: its strength, its time limit, and what is stored of its reasons.

It gets the seat's view, runs outside of any transaction, and writes nothing. Where it searches, a process of its own
does that (`engine`). Without an answer from there, the robot plays by rule.
The same robot suggests a choice to a player who asks.
"""

import random
import secrets
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final
from urllib.parse import urlencode

from hearts.cards import parse_code
from hearts.game import Game
from hearts.review import alternative_text
from hearts.robot import Choice, Level, choose, consider
from hearts.seats import Seat
from hearts.turns import Deal, Moon, MoonChoice, Pass
from hearts.view import view
from webapp.core.say import later, say
from webapp.games.asked.due import Decision, due_of
from webapp.games.record.store import TableGame
from webapp.models import Grounds
from webapp.presentation.faces import Face, face, said
from webapp.robots.engine import NoAnswer, engine
from webapp.robots.searching import consider_within

MAX_SECONDS = 2.0  # seconds of thought
# The most games that may wait for a robot at each level. With more, the robot thinks less, so that nobody waits long.
QUEUES = {Level.STRONG: 200, Level.STEADY: 2000}


@dataclass(frozen=True, slots=True)
class Thought:
    """A robot's turn. `grounds` are stored with its record: level, playouts and seed reproduce it."""

    turn: Decision
    grounds: Grounds


def think(game: Game, seat: Seat, level: Level, *, hurried: bool = False) -> Thought:
    """Returns the robot's turn for `seat`, whose turn it must be, from the seat's view. Takes up to MAX_SECONDS."""
    seed = secrets.randbits(32)
    seen = view(game, seat)
    choice = consider(seen, level=Level.RULE, seed=seed)
    if level is not Level.RULE:
        with suppress(NoAnswer):
            choice = engine.ask(partial(consider_within, MAX_SECONDS, seen, level, seed, hurried=hurried))
    assert not isinstance(choice.turn, Deal)
    grounds = Grounds(level=choice.level.value, playouts=choice.playouts, seed=seed, reason=choice.why)
    return Thought(choice.turn, grounds)


def advise(game: Game, seat: Seat, seed: int) -> Choice:
    """Returns the robot's choice for `seat`, whose turn it must be, from its view. The seed determines the result."""
    seen = view(game, seat)
    try:
        return engine.ask(partial(consider, seen, level=Level.STEADY, seed=seed))
    except NoAnswer:
        return consider(seen, level=Level.RULE, seed=seed)


def by_rule(game: Game, seat: Seat) -> Decision:
    """Returns the turn of a robot of level `rule` for `seat`, whose turn it must be; the view alone determines it."""
    turn = choose(view(game, seat), random.Random(0))
    assert not isinstance(turn, Deal)
    return turn


def is_crowded(waiting: int) -> bool:
    """Whether too many games wait for a robot for any to take its time, at every level."""
    return waiting > QUEUES[Level.STRONG]


def strongest(waiting: int) -> Level:
    """The strongest level to play for a player who missed a deadline, while `waiting` games need such a turn."""
    return next((level for level, most in QUEUES.items() if waiting <= most), Level.RULE)


# Suggestions, at tables that allow them: what the robot would do in the player's place, why, and the alternatives.
# The robot knows only what the player's own page shows. For the same decision it always gives the same suggestion.

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
    lines = []
    for points, text in ranked:
        figure = "" if points is None else f"{round(points, 1) + 0:.1f}"  # + 0 turns -0.0 into 0.0
        if isinstance(turn, Moon):
            lines.append(Alternative((), say(_MOON[MoonChoice(text)]), figure))
        else:
            lines.append(Alternative(tuple(face(parse_code(code)) for code in text.split()), "", figure))
    shown = lines[:MAX_PASSES_SHOWN] if isinstance(turn, Pass) else lines
    return Suggestion(
        is_pass=isinstance(turn, Pass),
        moon=say(_WOULD[turn.choice]) if isinstance(turn, Moon) else "",
        best=lines[0],
        reason=said(choice.why),
        alternatives=tuple(shown) if len(shown) > 1 else (),
    )
