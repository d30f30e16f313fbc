"""A short run of `make chaos`: one of each kind of disturbance that is cheap, on SQLite."""

from pathlib import Path

from bench.printing import say
from tests.chaos.relay import Mood
from tests.chaos.report import lines
from tests.chaos.run import Options, run_on

CHEAP = ("worker killed", "web killed", "broker emptied")
MOODS = (Mood.REFUSES_SOME, Mood.REFUSES_FOR_GOOD, Mood.REFUSES_CONTENT, Mood.CUTS_CONTENT, Mood.CUTS_ANSWER)
SEED = 1


def test_no_turn_is_lost_whatever_breaks(tmp_path: Path) -> None:
    options = Options(seconds=14, games=5, seed=SEED, named=(*CHEAP, *MOODS), at_once=5, haste=6)
    outcome = run_on("sqlite", options, tmp_path, None, say)
    say("\n".join(lines(outcome)))
    assert outcome.count == 0
    assert {one.planned.kind.name for one in outcome.broken} == {*CHEAP, *MOODS}
    assert outcome.left.notes.acknowledged
