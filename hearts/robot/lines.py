"""Turns JSON lines with positions into JSON lines with choices; the caller does input and output, and has the clock."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, assert_never

from hearts.cards import card_text
from hearts.robot.choice import Choice, Level, consider, playouts_in
from hearts.robot.position import parse_position
from hearts.turns import Deal, Moon, Pass, Play

MAX_SECONDS: Final = 2.0
"""The time limit of a choice."""
_FIGURES: Final = 400
"""The number of roll-outs that estimate the alternatives at level `rule`, which chooses without any."""
_MAX_MS: Final = 1500
"""The most that `ms` may ask for, so that a machine somewhat slower than the ordinary one stays within the limit."""


def answers(
    lines: Iterable[str | bytes], *, level: Level, ms: int | None, seed: int, clock: Callable[[], float]
) -> Iterator[str]:
    """For each line a JSON object: the choice in its position, or `{"error": …}` with a sentence if it has none.

    `ms` is the time for a choice on an ordinary core, None for as long as `level` takes. It is converted to roll-outs
    at a fixed rate, so that a seed always gives the same answer. `clock` returns seconds, and is only used to stop a
    choice that takes too long.
    """
    for line in lines:
        yield _answer(line, level, ms, seed, _alarm(clock))


def _alarm(clock: Callable[[], float]) -> Callable[[], bool]:
    end = clock() + MAX_SECONDS
    return lambda: clock() > end


def _answer(line: str | bytes, level: Level, ms: int | None, seed: int, stop: Callable[[], bool]) -> str:
    try:
        place = parse_position(json.loads(line))
        budget = _budget(level) if ms is None else playouts_in(place, min(ms, _MAX_MS))
        found = choice_mapping(consider(place, level=level, playouts=budget, seed=seed, stop=stop))
    except (ValueError, RecursionError) as error:
        found = {"error": " ".join(str(error).split()) or "this is not a position"}
    return json.dumps(found, ensure_ascii=False)


def _budget(level: Level) -> int | None:
    return _FIGURES if level is Level.RULE else None


def choice_mapping(choice: Choice) -> dict[str, Any]:
    """The choice as a JSON mapping."""
    grounds = {
        "reason": choice.reason,
        "expected": dict(choice.expected),
        "level": str(choice.level),
        "playouts": choice.playouts,
        "seed": choice.seed,
    }
    match choice.turn:
        case Play(card=card):
            return {"card": card_text(card), **grounds}
        case Pass(cards=cards):
            return {"cards": [card_text(card) for card in cards], **grounds}
        case Moon(choice=moon):
            return {"moon": str(moon), **grounds}
        case Deal():
            raise ValueError("a robot does not deal")
        case _:
            assert_never(choice.turn)
