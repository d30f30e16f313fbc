"""The clock of another machine jumps for the processes that have it."""

import os
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest

from tests.chaos.clocks import Clock

SHOW = "import sys, time\nfor _ in sys.stdin: print(time.time(), time.monotonic(), flush=True); time.sleep(0.01)"


def test_a_clock_jumps_for_its_processes_alone(tmp_path: Path) -> None:
    clock = Clock(tmp_path)
    environment = {**os.environ, **clock.environment}
    with subprocess.Popen(
        [sys.executable, "-c", SHOW], env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        for ahead in (0, 60, -60, 0):
            clock.set(timedelta(seconds=ahead))
            process.stdin.write("\n")
            process.stdin.flush()
            now, passed = map(float, process.stdout.readline().split())
            assert now - time.time() == pytest.approx(ahead, abs=20)
            assert passed - time.monotonic() == pytest.approx(0, abs=20)
        process.stdin.close()
