"""The robot plays for a seat: its strength, its time limit, and what is stored of its reasons.

It gets the seat's view, runs outside of any transaction, and writes nothing.
"""

import random
import secrets
import time
from dataclasses import dataclass
from typing import Any

from hearts.game import Game
from hearts.plans import Plan, Planned, by_guard, would_ask
from hearts.robot import Choice, Level, choose, consider
from hearts.seats import Seat
from hearts.turns import Deal
from hearts.view import view
from webapp.games.due import Decision
from webapp.games.planning import Pending

MAX_SECONDS = 2.0  # seconds of thought
# The most games that may wait for a robot at each level. With more, the robot thinks less, so that nobody waits long.
QUEUES = {Level.STRONG: 200, Level.STEADY: 2000}


@dataclass(frozen=True, slots=True)
class Thought:
    """A robot's turn. `grounds` are stored with its record: level, playouts and seed reproduce it."""

    turn: Decision
    grounds: dict[str, Any]


def think(game: Game, seat: Seat, level: Level, *, hurried: bool = False) -> Thought:
    """What the robot plays for `seat`, whose turn it must be, from the seat's view. Takes up to MAX_SECONDS."""
    ends = time.monotonic() + MAX_SECONDS
    seed = secrets.randbits(32)
    choice = consider(view(game, seat), level=level, seed=seed, hurried=hurried, stop=lambda: time.monotonic() > ends)
    assert not isinstance(choice.turn, Deal)
    grounds = {"level": choice.level.value, "playouts": choice.playouts, "seed": seed, "reason": choice.why}
    return Thought(choice.turn, grounds)


def guarded(game: Game, waiting: Pending) -> Planned | None:
    """The card that a plan plays, with its price; None if the guard leaves the decision to the player."""
    return by_guard(view(game, waiting.seat), waiting.plan, waiting.found, secrets.randbits(32))


def would_ask_ahead(game: Game, seat: Seat, plan: Plan, *, guards: bool) -> bool:
    """Whether `plan` would ask the player of `seat` for a card to the trick on the table before it is their turn."""
    return would_ask(view(game, seat), plan, guards=guards, seed=secrets.randbits(32))


def advise(game: Game, seat: Seat, seed: int) -> Choice:
    """What the robot would do for `seat`, whose turn it must be, from its view. The seed determines the result."""
    return consider(view(game, seat), level=Level.STEADY, seed=seed)


def by_rule(game: Game, seat: Seat) -> Decision:
    """What a robot of level `rule` plays for `seat`, whose turn it must be; the view alone determines it."""
    turn = choose(view(game, seat), random.Random(0))
    assert not isinstance(turn, Deal)
    return turn


def is_crowded(waiting: int) -> bool:
    """Whether so many games wait for a robot that none may take its time, at whatever level it plays."""
    return waiting > QUEUES[Level.STRONG]


def strongest(waiting: int) -> Level:
    """The strongest level to play for a player who missed a deadline, while `waiting` games need such a turn."""
    return next((level for level, most in QUEUES.items() if waiting <= most), Level.RULE)
