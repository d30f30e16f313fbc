"""A small run of the benchmark of the service with many games: every figure is there."""

import subprocess
import sys

from tests.servers import ROOT

SMALL = ["--games", "600", "--processes", "1", "--databases", "sqlite", "--seconds", "0.3", "--records", "60"]
FIGURES = (
    "pages of a turn, 1 web",
    "turns posted, 1 web",
    "memory, 1 web",
    "claiming 600 due games",
    "emails, one worker",
)


def test_a_small_run_prints_every_figure() -> None:
    command = [sys.executable, "-m", "bench.load", *SMALL]
    printed = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    lines = {line[2:38].strip(): line[38:].split()[0] for line in printed.splitlines() if line.startswith("  ")}
    assert lines.keys() >= {*FIGURES, "pages in a game of 60 records"}
    assert printed.count(" ms of processor") == 3  # of a page, a turn and an email
    assert printed.count(" MB for each process") == 1
    assert all(float(figure.split("/")[0].replace(",", "")) > 0 for figure in lines.values())
