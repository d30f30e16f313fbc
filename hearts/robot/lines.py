"""Positions as lines of JSON in, choices as lines of JSON out; whoever calls reads, writes and has the clock."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, assert_never

from hearts.cards import card_text
from hearts.robot.choice import Choice, Level, consider, playouts_in
from hearts.robot.position import parse_position
from hearts.turns import Deal, Moon, Pass, Play

MOST_SECONDS: Final = 2.0
"""No choice takes longer."""
_FIGURES: Final = 400
"""How many roll-outs tell what the alternatives come to at level `rule`, which chooses without any."""
_MOST_MS: Final = 1500
"""What is asked for beyond this is not given: a machine a little slower than the ordinary must still be in time."""


def answers(
    lines: Iterable[str | bytes], *, level: Level, ms: int | None, seed: int, clock: Callable[[], float]
) -> Iterator[str]:
    """For each line with a position a JSON object: the choice, or `{"error": …}` with a sentence, where it holds none.

    `ms` is how long a choice may take on an ordinary core, None for as long as `level` takes. It is turned into
    roll-outs by a fixed rate, so that a seed gives the same answer every time. `clock` tells seconds, and only ends
    what takes too long.
    """
    for line in lines:
        yield _answer(line, level, ms, seed, _alarm(clock))


def _alarm(clock: Callable[[], float]) -> Callable[[], bool]:
    end = clock() + MOST_SECONDS
    return lambda: clock() > end


def _answer(line: str | bytes, level: Level, ms: int | None, seed: int, stop: Callable[[], bool]) -> str:
    try:
        place = parse_position(json.loads(line))
        budget = _budget(level) if ms is None else playouts_in(place, min(ms, _MOST_MS))
        found = choice_mapping(consider(place, level=level, playouts=budget, seed=seed, stop=stop))
    except (ValueError, RecursionError) as error:
        found = {"error": " ".join(str(error).split()) or "this is not a position"}
    return json.dumps(found, ensure_ascii=False)


def _budget(level: Level) -> int | None:
    return _FIGURES if level is Level.RULE else None


def choice_mapping(choice: Choice) -> dict[str, Any]:
    """The choice as JSON values."""
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
