"""The form that says how long to wait for a player where it hardly matters."""

import pytest

from hearts.plans import FULL_WAIT, NO_WAIT, SHORT_WAIT, Asking, Order, Plan, Wake
from webapp.forms.waits import read_wait_form

BEFORE = Plan(asking=Asking.MATTERS, limit=0.5, orders=frozenset({Order.DUCK}), wakes=frozenset({Wake.LEAD}))


def read(fields, before=BEFORE, *, may_hand_over=True):
    return read_wait_form(fields, before, may_hand_over=may_hand_over)


@pytest.mark.parametrize(("wait", "plan"), [("full", FULL_WAIT), ("short", SHORT_WAIT), ("none", NO_WAIT)])
def test_each_answer_is_a_plan(wait, plan):
    assert read({"wait": wait}, Plan()).plan == (Plan() if wait == "full" else plan)
    other = NO_WAIT if wait != "none" else FULL_WAIT
    assert read({"wait": wait}, other).plan == plan


def test_who_chooses_what_they_have_keeps_their_orders():
    assert read({"wait": "none"}).plan == BEFORE


def test_pages_opened_earlier_are_understood():
    form = read({"asking": "ask", "everywhere": "yes"})
    assert form.plan == Plan(asking=Asking.ASK, limit=0.5, orders=BEFORE.orders, wakes=BEFORE.wakes)
    assert form.is_everywhere
    assert read({"asking": "robot"}).is_robot


def test_a_hand_is_handed_over_only_while_one_is_played():
    assert read({"wait": "robot"}).is_robot
    form = read({"wait": "robot"}, may_hand_over=False)
    assert not form.is_robot
    assert form.errors == {"wait": "Choose how long we wait for you."}


@pytest.mark.parametrize("fields", [{}, {"wait": "cat"}, {"wait": ""}, {"asking": "cat"}])
def test_anything_else_is_rejected_with_a_message(fields):
    form = read(fields)
    assert form.plan is None
    assert list(form.errors.values()) == ["Choose how long we wait for you."]
