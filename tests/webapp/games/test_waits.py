"""The waits as plans: each wait becomes a plan, and each plan reads as a wait."""

import pytest

from hearts.plans import ASK, FULL_WAIT, NO_WAIT, SHORT_WAIT, Asking, Plan
from webapp.games.waits import PLANS, Wait, plan_for, wait_of


@pytest.mark.parametrize("wait", Wait)
def test_each_wait_has_a_plan_that_reads_as_it(wait):
    assert wait_of(PLANS[wait]) is wait


@pytest.mark.parametrize(
    ("plan", "wait"),
    [
        (ASK, Wait.FULL),
        (FULL_WAIT, Wait.FULL),
        (SHORT_WAIT, Wait.SHORT),
        (NO_WAIT, Wait.NONE),
        (Plan(asking=Asking.MATTERS, limit=2.0), Wait.NONE),
    ],
)
def test_a_stored_plan_keeps_its_meaning_as_a_wait(plan, wait):
    assert wait_of(plan) is wait


def test_choosing_the_same_wait_again_keeps_a_player_s_orders():
    before = Plan(asking=Asking.MATTERS, limit=2.0)
    assert plan_for(Wait.NONE, before) is before
    assert plan_for(Wait.FULL, before) == FULL_WAIT
