"""`python -m hearts choose`, as a program of its own."""

import json
import subprocess
import sys

import pytest

from tests.servers import ROOT

PLAY = {
    "rules": {"preset": "classic"}, "hand": 2, "dealer": 3, "seat": 1, "totals": [4, 0, 19, 3],
    "stage": "play", "pass": "right", "given": "AS KS 9D", "received": "2H 7C 7D",
    "held": "7C JC 4D 7D QD 2H TH 3S 4S 5S 6S 2D", "leader": 0, "plays": "2C 5C KC AC 8D 3D", "kitty": None,
}  # fmt: skip


def choose(lines, *options):
    command = [sys.executable, "-m", "hearts", "choose", *options]
    return subprocess.run(command, cwd=ROOT, input=lines, capture_output=True, text=True, timeout=120, check=False)


def test_each_line_is_answered_and_an_invalid_one_stops_nothing():
    good = json.dumps(PLAY)
    run = choose(f"{good}\nnonsense\n[]\n{good}\n", "--level", "rule")
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert (run.returncode, run.stderr) == (0, "")
    assert [sorted(answer)[0] for answer in answers] == ["card", "error", "error", "card"]
    assert answers[0] == answers[3]
    assert answers[0]["card"] in PLAY["held"].split()
    assert answers[0]["reason"]


def test_the_same_seed_gives_the_same_answer_and_the_same_costs():
    once, again = (choose(json.dumps(PLAY), "--ms", "20", "--seed", "7").stdout for _ in range(2))
    assert once == again
    assert set(json.loads(once)["expected"]) == {"2D", "4D", "7D", "QD"}


@pytest.mark.parametrize("options", [("--level", "genius"), ("--ms", "0"), ("--ms", "-1"), ("--seed", "x")])
def test_unknown_options_are_rejected(options):
    run = choose("", *options)
    assert run.returncode == 2
    assert options[0] in run.stderr
    assert "Traceback" not in run.stderr
