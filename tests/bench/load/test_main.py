"""A small run of the benchmark of the service with many games: every figure is there."""

import subprocess
import sys

from tests.servers import ROOT

SMALL = ["--games", "600", "--processes", "1", "--databases", "sqlite", "--seconds", "0.3", "--records", "60"]
TOO_FEW = "No game is left in which a turn can be posted. Name more --games, or fewer --seconds.\n"
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


def test_a_run_with_too_few_games_says_so() -> None:
    command = [sys.executable, "-m", "bench.load", *SMALL, "--games", "20"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (1, TOO_FEW)
