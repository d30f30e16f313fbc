"""What a worker does besides its tasks, when it starts and when it ends."""

import subprocess
import sys
from pathlib import Path

from tests.servers import ROOT

ENDS = """
import time
from hearts import robot
from worker.app import load_the_robot

robot.warm_up = lambda: (time.sleep(0.3), print("loaded"))
load_the_robot()
"""


def test_a_worker_that_is_to_end_loads_the_robot_first(tmp_path: Path) -> None:
    """The compiler would crash below it."""
    environment = {"PATH": "", "DATA_DIR": str(tmp_path)}
    command = [sys.executable, "-c", ENDS]
    said = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert said.stdout == "loaded\n"
