"""A plan as a value."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.plans import ASK, LIMITS, Asking, BadPlan, Order, Plan, Wake, parse_plan, plan_mapping

PLANS = st.builds(
    Plan,
    asking=st.sampled_from(Asking),
    limit=st.sampled_from(LIMITS),
    orders=st.sets(st.sampled_from(Order)).map(frozenset),
    wakes=st.sets(st.sampled_from(Wake)).map(frozenset),
    after_trick=st.integers(0, 12),
)


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
