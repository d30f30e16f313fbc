"""The counts of `make pace`."""

from dataclasses import replace

import pytest

from bench.pace import play
from hearts.rules import Rules
from webapp.models import Wait

ONE_HAND = replace(Rules(), hands=1)


@pytest.mark.parametrize("wait", [Wait.FULL, Wait.NONE], ids=["waiting", "not waiting"])
def test_a_choice_is_a_person_s_where_we_wait(wait):
    tally = play(wait, ONE_HAND, looks=8, games=1, seed=1)
    (share,) = tally.by_people
    assert (share == 1) is (wait is Wait.FULL)
    assert (tally.days[0] > 0, tally.visits[0] > 0, tally.decisions[0] >= 1) == (True, True, True)


def test_a_rest_that_one_seat_must_win_is_no_choice():
    seven = play(Wait.FULL, ONE_HAND, looks=8, games=1, seed=7)  # one seat wins the last tricks of this hand
    assert seven.by_people == [1]
