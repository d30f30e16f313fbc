"""The robot at work for a seat: how strong, for how long, and what of its grounds is kept with the record.

It gets the seat's view, thinks outside of any transaction, and writes nothing.
"""

import random
import secrets
import time
from dataclasses import dataclass
from typing import Any

from hearts.game import Game
from hearts.robot import Choice, Level, choose, consider
from hearts.seats import Seat
from hearts.turns import Deal
from hearts.view import view
from webapp.games.due import Decision

LONGEST = 2.0  # seconds of thought
# How many games may be due for each level of thought; with more than that waiting, whoever waits longest waits least.
QUEUES = {Level.STRONG: 200, Level.STEADY: 2000}


@dataclass(frozen=True, slots=True)
class Thought:
    """A robot's turn. `grounds` are kept with its record: level, playouts and seed find it again."""

    turn: Decision
    grounds: dict[str, Any]


def think(game: Game, seat: Seat, level: Level) -> Thought:
    """What the robot plays for `seat`, which must be awaited, from what the seat sees."""
    ends = time.monotonic() + LONGEST
    seed = secrets.randbits(32)
    choice = consider(view(game, seat), level=level, seed=seed, stop=lambda: time.monotonic() > ends)
    assert not isinstance(choice.turn, Deal)
    grounds = {"level": choice.level.value, "playouts": choice.playouts, "seed": seed, "reason": choice.reason}
    return Thought(choice.turn, grounds)


def advise(game: Game, seat: Seat, seed: int) -> Choice:
    """What the robot would do for `seat`, which must be awaited, from its view; with the same seed the same."""
    return consider(view(game, seat), level=Level.STEADY, seed=seed)


def by_rule(game: Game, seat: Seat) -> Decision:
    """What a robot of level `rule` plays at once for `seat`, which must be awaited; from the same view the same."""
    turn = choose(view(game, seat), random.Random(0))
    assert not isinstance(turn, Deal)
    return turn


def strongest(waiting: int) -> Level:
    """The strongest level for whoever missed a deadline, while so many games wait for such a turn."""
    return next((level for level, most in QUEUES.items() if waiting <= most), Level.RULE)
