"""A small run of the comparison of two checkouts: this one with itself."""

import re
import subprocess
import sys

from tests.servers import ROOT

SMALL = ["--before", ".", "--databases", "sqlite", "--rounds", "2", "--seconds", "0.05"]


def test_a_checkout_is_compared_in_pages_and_turns() -> None:
    command = [sys.executable, "-m", "bench.load.versus", *SMALL]
    printed = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    figures = re.findall(r"^  (.*?) +before (.*)/s, now (.*)/s: (.*) times", printed, re.MULTILINE)
    assert [what for what, *_ in figures] == ["pages of a turn", "turns posted"]
    assert all(float(figure.replace(",", "")) > 0 for _, *of_both in figures for figure in of_both)
