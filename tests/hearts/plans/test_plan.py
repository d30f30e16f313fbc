"""A plan as a value."""

import json

import pytest
from hypothesis import given

from hearts.plans import ASK, Asking, BadPlan, Order, parse_plan, plan_mapping
from tests.hearts.plans.any_plan import PLANS


@given(PLANS)
def test_a_plan_survives_its_json_form(plan) -> None:
    assert parse_plan(json.loads(json.dumps(plan_mapping(plan)))) == plan


def test_somebody_who_has_chosen_nothing_is_asked_every_time() -> None:
    assert ASK.asking is Asking.ASK
    assert ASK.orders == frozenset(Order), "so that another choice has the sensible orders"


@pytest.mark.parametrize(
    "change",
    [
        {"asking": "cat"},
        {"limit": 3},
        {"limit": "much"},
        {"orders": "duck"},
        {"orders": ["swim"]},
        {"wakes": [7]},
        {"after_trick": 13},
        {"after_trick": -1},
        {"after_trick": True},
        {"orders": None},
    ],
)
def test_what_is_no_plan_is_refused(change) -> None:
    with pytest.raises(BadPlan):
        parse_plan({**plan_mapping(ASK), **change})


@pytest.mark.parametrize("name", ["asking", "limit", "orders", "wakes", "after_trick"])
def test_a_plan_has_every_field(name) -> None:
    mapping = plan_mapping(ASK)
    del mapping[name]
    with pytest.raises(BadPlan):
        parse_plan(mapping)
