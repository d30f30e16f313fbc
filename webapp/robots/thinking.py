"""The robot plays for a seat: its strength, its time limit, and what is stored of its reasons.

It gets the seat's view, runs outside of any transaction, and writes nothing. Where it searches, a process of its own
does that (`engine`). Without an answer from there, the robot plays by rule.
"""

import random
import secrets
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from hearts.game import Game
from hearts.robot import Choice, Level, choose, consider
from hearts.seats import Seat
from hearts.turns import Deal
from hearts.view import view
from webapp.games.asked.due import Decision
from webapp.models import Grounds
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
