"""The robot of another checkout as a player, so that an older and a newer one can meet at one table."""

import atexit
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable

from hearts.cards import Cards, parse_code
from hearts.robot.position import position_mapping
from hearts.robot.reading import position
from hearts.turns import Moon, MoonChoice, Pass, Play, Turn
from hearts.view import View


def robot_in(checkout: str, ms: int | None = None) -> Callable[[View, random.Random], Turn]:
    """Level strong of the robot in the folder `checkout`, with `ms` milliseconds for a choice or its usual time."""
    command = [sys.executable, "-m", "hearts", "choose", *(["--ms", str(ms)] if ms else [])]
    environment = {**os.environ, "PYTHONPATH": checkout}
    process = subprocess.Popen(
        command, cwd=checkout, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    atexit.register(process.kill)

    def play(seen: View, rng: random.Random) -> Turn:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(position_mapping(position(seen))) + "\n")
        process.stdin.flush()
        return _turn(seen, json.loads(process.stdout.readline()))

    return play


def _turn(seen: View, answer: dict[str, object]) -> Turn:
    match answer:
        case {"card": str(code)}:
            return Play(seen.seat, parse_code(code))
        case {"cards": list(codes)}:
            return Pass(seen.seat, Cards.of(map(parse_code, codes)))
        case {"moon": str(word)}:
            return Moon(seen.seat, MoonChoice(word))
        case _:
            raise ValueError(f"the other robot says {answer}")
