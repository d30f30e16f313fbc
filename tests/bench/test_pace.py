"""The counts of `make pace`."""

from dataclasses import replace

from bench.pace import play
from hearts.rules import Rules

ONE_HAND = replace(Rules(), hands=1)


def test_people_who_look_often_make_every_choice():
    tally = play(ONE_HAND, looks=8, games=1, seed=7)  # one seat must win the last tricks of this hand: no choice
    assert tally.by_people == [1]
    assert (tally.days[0] > 0, tally.visits[0] > 0, tally.decisions[0] >= 1) == (True, True, True)
