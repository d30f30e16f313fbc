"""Turn records get their numbers, and those of their hands."""

import random

import pytest

from tests.hearts.builders import random_cycles, random_games, rules_of
from webapp.games.record.store import Record, numbered
from webapp.models import TurnSource

RULES = rules_of(passing="left")


def unnumbered(hands=2):
    steps = random_games(RULES, random.Random(1), hands)
    return [Record(turn, TurnSource.PAGE) for _, turn, _ in steps]


def test_records_count_from_one_and_hands_from_their_deal_on():
    found = numbered(unnumbered())
    assert [one.number for one in found] == list(range(1, len(found) + 1))
    assert [one.hand for one in found] == [1] * 57 + [2] * 57


@pytest.mark.parametrize("cut", [0, 1, 30, 57, 58, 114])
def test_records_in_two_parts_are_numbered_as_in_one(cut):
    records = unnumbered()
    before = numbered(records[:cut])
    after = numbered(records[cut:], dealt=before[-1].hand if before else 0, after=cut)
    assert before + after == numbered(records)


def test_hands_side_by_side_keep_the_number_of_their_row():
    steps = random_cycles(rules_of(passing="left-right-across-keep"), 4, random.Random(1), 4)
    records = [Record(turn, TurnSource.PAGE, hand=number) for _, number, turn, _ in steps]
    assert [one.hand for one in numbered(records)] == [one.hand for one in records]
