"""The bench of live games counts what people choose, and the time that it takes them."""

import random
from dataclasses import replace

from bench.live import CHOOSES, LENGTHS, LIES, PASSES, READS, SHOWN, played
from hearts.rules import Passing, Rules


def test_a_live_hand_takes_its_choices_pass_and_tricks():
    one_hand = replace(LENGTHS["a round"], hands=1)
    hands, choices, time = played(one_hand, random.Random(1))
    assert hands == 1
    assert 20 < choices < 52
    assert time == READS + PASSES + choices * CHOOSES + 52 * SHOWN + 13 * LIES


def test_a_hand_without_a_pass_takes_no_time_for_one():
    rules = replace(Rules(), hands=1, passing=Passing.NONE)
    _, choices, time = played(rules, random.Random(1))
    assert time == READS + choices * CHOOSES + 52 * SHOWN + 13 * LIES
