"""A process can be given a clock that is wrong, without a change of its code."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from tests.chaos.keeper import CLOCKS
from tests.servers import ROOT

SAID = """
import datetime, time
now = datetime.datetime.now(datetime.UTC)
assert isinstance(now, datetime.datetime) and isinstance(now - datetime.timedelta(1), datetime.datetime)
print(now.isoformat(), datetime.datetime.fromtimestamp(time.time(), datetime.UTC).isoformat(), sep="\\n")
"""


@pytest.mark.parametrize("ahead", [-120, 90])
def test_a_process_has_the_clock_that_it_was_given(ahead: int) -> None:
    environment = {**os.environ, "PYTHONPATH": CLOCKS, "CLOCK_AHEAD": str(ahead)}
    run = subprocess.run(
        [sys.executable, "-c", SAID], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    for said in run.stdout.split():
        late = datetime.now(UTC) + timedelta(seconds=ahead) - datetime.fromisoformat(said)
        assert timedelta() <= late < timedelta(seconds=30)
