"""No gaps: the records of every game fold, and the operator's own examination finds nothing."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from hearts.game import Stage
from tests.chaos.checks.aftermath import Aftermath
from tests.servers import ROOT
from webapp.models import GameState

DOCTOR = [str(Path(sys.executable).parent / "flask"), "--app", "webapp", "doctor"]


def check(left: Aftermath) -> Iterator[str]:
    for game_id, why in left.unreadable.items():
        yield f"game {game_id} cannot be loaded: {why}"
    for stored in left.games.values():
        numbers = [turn.number for turn in left.turns[stored.id]]
        if numbers != list(range(1, stored.row.turns + 1)):
            yield f"game {stored.id} has {len(numbers)} records up to number {numbers[-1]}, of {stored.row.turns}"
        is_over = stored.row.state is GameState.OVER and not left.is_ended(stored)
        if is_over != (stored.game.stage is Stage.OVER):
            yield f"game {stored.id} is {stored.row.state.value}, and its records say {stored.game.stage.value}"
    yield from _doctor(left)


def _doctor(left: Aftermath) -> Iterator[str]:
    environment = {"PATH": os.defpath, **left.service.environment}
    run = subprocess.run(DOCTOR, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if run.returncode:
        yield from (f"doctor: {line}" for line in (run.stdout + run.stderr).splitlines() if not line.startswith("ok"))
