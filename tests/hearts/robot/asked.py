"""Positions that the robot is asked about, as JSON and as values."""

import json
from typing import Any

from hearts.robot import Level, answers
from hearts.robot.position import parse_position
from hearts.robot.reading import Position

EXAMPLE = {
    "rules": {"preset": "classic"},
    "hand": 2,
    "dealer": 3,
    "seat": 1,
    "totals": [4, 0, 19, 3],
    "stage": "play",
    "pass": "right",
    "given": "AS KS 9D",
    "received": "2H 7C 7D",
    "held": "7C JC 4D 7D QD 2H TH",
    "leader": 0,
    "plays": "2C 5C KC AC 8D 3D",
    "kitty": None,
    "legal": "7D 4D QD",
}
PASSING = {
    **EXAMPLE,
    "stage": "pass",
    "given": None,
    "received": None,
    "held": "2C 3C 4C 5C 2D 3D 4D AS KS QS 2H 3H 4H",
    "leader": None,
    "plays": "",
    "legal": None,
}


def ask(*lines: str, level: Level = Level.STEADY, ms: int | None = None, seed: int = 1) -> list[dict]:
    return [json.loads(it) for it in answers(lines, level=level, ms=ms, seed=seed, clock=lambda: 0.0)]


def seen(held: str, plays: str = "", **others: Any) -> Position:
    """A position of seat 0 in a classic hand that seat 0 opened, unless given otherwise."""
    fields = {"rules": {}, "hand": 4, "dealer": 3, "seat": 0, "totals": [0, 0, 0, 0], "stage": "play", "pass": "keep"}
    return parse_position({**fields, "held": held, "plays": plays, "leader": 0 if plays else None, **others})
