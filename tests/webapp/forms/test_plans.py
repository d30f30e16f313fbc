"""The form of a plan."""

import pytest

from hearts.plans import Asking, Order, Plan, Wake
from webapp.forms.plans import plan_form, read_plan_form

BEFORE = Plan(asking=Asking.ASK, limit=0.5, orders=frozenset({Order.DUCK}), wakes=frozenset({Wake.LEAD}), after_trick=3)
DETAILS = {"details": "yes", "limit": "2.0", "after_trick": "7"}


def read(fields, orders=(), wakes=(), *, may_hand_over=True):
    return read_plan_form(fields, orders, wakes, BEFORE, may_hand_over=may_hand_over)


def test_a_choice_without_details_keeps_those_of_before():
    form = read({"asking": "matters"})
    assert (form.errors, form.is_robot, form.is_everywhere) == ({}, False, False)
    assert form.plan == Plan(
        asking=Asking.MATTERS, limit=0.5, orders=BEFORE.orders, wakes=BEFORE.wakes, after_trick=BEFORE.after_trick
    )


def test_details_are_taken_as_they_are_sent():
    form = read({"asking": "matters", "everywhere": "yes", **DETAILS}, ["take", "lead"], ["moon"])
    assert form.is_everywhere
    assert form.plan == Plan(
        asking=Asking.MATTERS,
        limit=2.0,
        orders=frozenset({Order.TAKE, Order.LEAD}),
        wakes=frozenset({Wake.MOON}),
        after_trick=7,
    )


def test_unticked_boxes_switch_everything_off():
    assert read({"asking": "same", **DETAILS}).plan.orders == frozenset()


def test_a_hand_is_handed_over_only_while_one_is_played():
    assert read({"asking": "robot"}).is_robot
    form = read({"asking": "robot"}, may_hand_over=False)
    assert not form.is_robot
    assert form.errors == {"asking": "Choose when you'd like to be asked."}


@pytest.mark.parametrize(
    ("fields", "orders", "wakes", "wrong"),
    [
        ({}, [], [], "asking"),
        ({"asking": "cat"}, [], [], "asking"),
        ({"asking": "ask", **DETAILS, "limit": "3"}, [], [], "limit"),
        ({"asking": "ask", **DETAILS, "limit": ""}, [], [], "limit"),
        ({"asking": "ask", **DETAILS, "after_trick": "13"}, [], [], "after_trick"),
        ({"asking": "ask", **DETAILS}, ["swim"], [], "orders"),
        ({"asking": "ask", **DETAILS}, [], ["always"], "orders"),
    ],
)
def test_an_invalid_field_is_rejected_with_a_message(fields, orders, wakes, wrong):
    form = read(fields, orders, wakes)
    assert form.plan is None
    assert list(form.errors) == [wrong]


@pytest.mark.parametrize(
    ("asking", "is_robot", "chosen"),
    [("", False, "ask"), ("same", False, "same"), ("cat", False, "ask"), ("", True, "robot")],
)
def test_a_link_may_choose_in_advance_and_nothing_else(asking, is_robot, chosen):
    form = plan_form(BEFORE, is_robot=is_robot, asking=asking)
    assert form.values == {"asking": chosen, "limit": "0.5", "after_trick": "3"}
