"""A short run of `make chaos`: one of each kind of disturbance that is cheap, on SQLite, with answers in a mailbox."""

from pathlib import Path

from bench.printing import say
from tests.chaos.mailbox import MailboxMood
from tests.chaos.relay import Mood
from tests.chaos.report import lines
from tests.chaos.run import Options, run_on
from tests.chaos.setups import Scene

CHEAP = ("worker killed", "web killed", "broker emptied")
MOODS = (Mood.REFUSES_SOME, Mood.REFUSES_FOR_GOOD, Mood.REFUSES_CONTENT, Mood.CUTS_CONTENT, Mood.CUTS_ANSWER)
OF_MAILBOX = (MailboxMood.SAYS_BYE, MailboxMood.CUTS_MAILS, MailboxMood.REPEATS)
SEED = 44


def test_no_turn_is_lost_whatever_breaks(tmp_path: Path) -> None:
    named = (*CHEAP, *MOODS, *OF_MAILBOX)
    options = Options(14, games=5, seed=SEED, named=named, at_once=5, haste=6, scenes=(Scene.MAILBOX,))
    outcome = run_on("sqlite", options, tmp_path, None, say)
    say("\n".join(lines(outcome)))
    assert outcome.count == 0
    assert {one.planned.kind.name for one in outcome.broken} == {*named}
    assert outcome.left.notes.acknowledged
