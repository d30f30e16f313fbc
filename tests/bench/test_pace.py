"""The counts of `make pace`."""

from dataclasses import replace

from bench.pace import People, play
from hearts.rules import Rules

ONE_HAND = replace(Rules(), hands=1)


def test_who_acts_on_each_mail_makes_every_choice():
    tally = play(People(label="", looks=8, reply=True), ONE_HAND, games=1, seed=1)
    assert (tally.by_people, tally.missed) == ([1], 0)
    assert tally.days[0] > 0 < tally.mails[0]


def test_who_looks_away_for_days_misses_nothing_unseen():
    tally = play(People(label="", looks=2, skip=0.5), ONE_HAND, games=1, seed=1)
    assert tally.by_people[0] < 1
    assert tally.missed > tally.unseen == 0
