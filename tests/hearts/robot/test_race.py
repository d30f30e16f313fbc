"""The race of arms: which drop out, which wins, and how many roll-outs that takes."""

import random
from statistics import fmean, pvariance

import pytest

from hearts.deal import deal
from hearts.game import apply, new_game
from hearts.robot import bits, search
from hearts.robot.knowledge import Knowledge, knowledge
from hearts.robot.race import (
    _LEAST,
    _expected_gain,
    _first,
    _Runner,
    _still_racing,
    measured,
    race,
)
from hearts.robot.reading import position
from hearts.rules import Passing, Preset, preset_rules
from hearts.seats import Seat
from hearts.view import view

DEALS = 100


def runner(card: int, points: int, spread: int = 4) -> _Runner:
    """An arm with this mean cost and spread."""
    sums = [0] * search.RESULTS
    sums[search.COST] = points * DEALS * bits.POINT
    sums[search.SQUARES] = (points**2 + spread**2) * DEALS
    sums[search.SPREAD] = spread**2 * search.FINE**2 * DEALS
    sums[search.OWN] = points * DEALS
    return _Runner(card * 2, sums, DEALS)


def at_the_lead(seed: int = 1) -> tuple[Knowledge, list[int]]:
    """Returns the knowledge of a seat that may lead any card, and its arms."""
    rules = preset_rules(Preset.TRADITIONAL, passing=Passing.NONE)
    game = apply(new_game(rules), deal(rules, Seat(3), random.Random(seed)))
    seen = view(game, game.to_act[0])
    return knowledge(position(seen)), [card * 2 for card in seen.legal]


def test_an_arm_that_is_clearly_behind_drops_out():
    near, far = runner(2, 4), runner(3, 9)
    assert _still_racing([runner(1, 3), near, far])[1:] == [near]


def test_arms_are_compared_by_their_differences_however_the_deals_vary():
    rng = random.Random(1)
    work, results = [0] * bits.WORK, [0] * (2 * search.RESULTS)
    differences = [rng.choice((10, 25, 40)) for _ in range(DEALS)]
    for difference in differences:
        luck = rng.randrange(-400, 400)
        work[bits.PAID : bits.PAID + 2] = [luck, luck + difference]
        search._spread(work, results, 2)
    one, other = (
        _Runner(0, results[at : at + search.RESULTS], DEALS, DEALS * search.weight(2)) for at in (0, search.RESULTS)
    )
    spread = pvariance(differences) / search.FINE**2
    assert one.doubt() + other.doubt() == pytest.approx((spread + 2 * _LEAST) / DEALS, rel=0.05)


@pytest.mark.parametrize(("doubt", "card"), [(0.0, 1), (3.0, 2)])
def test_the_habitual_card_is_played_unless_it_is_clearly_worse(doubt: float, card: int):
    best, usual = runner(1, 3), runner(2, 4)
    assert _first([best, usual], 2, doubt).code >> 1 == card


def test_a_clearly_worse_habitual_card_is_given_up():
    best, usual = runner(1, 3), runner(2, 9)
    assert _first([best, usual], 2, 1.0) is best


@pytest.mark.parametrize("behind", [0, 1, 3])
def test_the_expected_gain_is_an_arms_mean_lead_if_any(behind: int):
    best, other = runner(1, 3, spread=9), runner(2, 3 + behind, spread=9)
    rng, doubt = random.Random(1), (best.doubt() + other.doubt()) ** 0.5
    gains = [max(0.0, rng.gauss(-behind, doubt)) for _ in range(100_000)]
    assert _expected_gain(other, best) == pytest.approx(fmean(gains), abs=0.01)


def test_a_race_ends_the_sooner_the_greater_the_least_gain():
    knows, arms = at_the_lead()
    (_, whole), (_, soon), (_, sooner) = (
        race(knows, arms, arms[0] >> 1, 20_000, 1, None, gain) for gain in (0, 0.1, 1)
    )
    assert whole > soon > sooner > 0


@pytest.mark.parametrize("budget", [300, 1000, 3000])
def test_the_race_plays_no_more_roll_outs_than_allowed(budget: int):
    knows, arms = at_the_lead()
    found, used = race(knows, arms, arms[0] >> 1, budget, seed=1)
    assert used <= budget
    assert sum(arm.deals for arm in found) == used
    assert {arm.alternative for arm in found} == {code >> 1 for code in arms}


def test_one_round_is_played_however_small_the_budget():
    knows, arms = at_the_lead()
    _, used = race(knows, arms, arms[0] >> 1, 1, seed=1)
    assert used >= len(arms)


def test_a_measurement_uses_its_whole_budget_and_drops_no_arm():
    knows, arms = at_the_lead()
    found = measured(knows, arms, 2000, seed=1)
    assert [(arm.alternative, arm.shoots) for arm in found] == [(code >> 1, bool(code & 1)) for code in arms]
    assert {arm.deals for arm in found} == {2000 // len(arms)}
