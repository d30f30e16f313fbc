"""What a plan plays, where it asks, and that its guard can be checked afterwards."""

from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts.cards import card_text, parse_code
from hearts.plans import ASK, Asking, Plan, Rule, Wake, by_guard, ordered, planned, price
from hearts.plans.orders import EVERY_ORDER
from hearts.robot import are_alike, has_a_choice
from hearts.rules import Rules
from hearts.turns import Play
from tests.hearts.plans.any_plan import PLANS
from tests.hearts.plans.views import seen, views_of
from tests.hearts.strategies import any_rules

SAME, MATTERS = Plan(asking=Asking.SAME), Plan(asking=Asking.MATTERS)


@settings(max_examples=40)
@given(any_rules(), st.integers(0, 2**32), PLANS, st.booleans())
def test_a_plan_plays_legal_cards_and_only_what_it_was_told(rules, seed, plan, guards) -> None:
    for _, view in views_of(rules, seed, well=False):
        found = planned(view, plan, guards=guards)
        if found is None:
            continue
        assert found.card in view.legal
        assert plan.asking is not Asking.ASK
        assert Wake.LEAD not in plan.wakes or view.trick is not None
        assert not 0 < plan.after_trick <= len(view.tricks)
        if found.by is Rule.SAME:
            assert not found.guarded
            assert all(are_alike(view, Play(view.seat, found.card), Play(view.seat, card)) for card in view.legal)
        else:
            assert plan.asking is Asking.MATTERS
            assert (found.card, found.by) == ordered(view, plan.orders)
            assert found.guarded is guards


def some_views(hands: int):
    return [view for seed in range(hands) for _, view in views_of(Rules(), seed)]


def test_the_bolder_the_plan_the_less_it_asks() -> None:
    views = some_views(3)
    by_plan = [sum(planned(view, plan, guards=True) is None for view in views) for plan in (ASK, SAME, MATTERS)]
    assert by_plan[0] == len(views) > by_plan[1] > by_plan[2] == 0


def test_cards_of_the_same_worth_are_played_without_a_guard() -> None:
    views = [view for view in some_views(3) if not has_a_choice(view)]
    assert views
    for view in views:
        assert planned(view, SAME, guards=True).by is planned(view, MATTERS, guards=True).by is Rule.SAME


def test_a_wake_up_is_stronger_than_cards_of_the_same_worth() -> None:
    view = next(view for view in some_views(3) if not has_a_choice(view) and view.trick is None)
    assert planned(view, SAME, guards=True)
    assert planned(view, Plan(asking=Asking.SAME, wakes=frozenset({Wake.LEAD})), guards=True) is None


def test_the_queen_is_never_the_same_as_her_neighbours() -> None:
    assert planned(seen("KS QS JS", "AS"), SAME, guards=True) is None


@pytest.fixture(scope="module")
def prices():
    """Every third decision of two hands: its view, the card of the orders, and its price."""
    views = [view for view in some_views(2) if has_a_choice(view)][::3]
    cards = [ordered(view, EVERY_ORDER).card for view in views]
    return [(view, card, price(view, card, 7)) for view, card in zip(views, cards, strict=True)]


def test_a_guard_lets_through_what_costs_less_than_the_limit(prices) -> None:
    assert {bool(cost.cost) for *_, cost in prices} == {True, False}
    for view, card, cost in prices:
        for limit in (0.25, 0.5, 1.0, 2.0):
            plan = Plan(asking=Asking.MATTERS, limit=limit)
            found = planned(view, plan, guards=True)
            assert found.card == card
            agreed = by_guard(view, plan, found, 7)
            decides = price(view, card, 7, limit)
            assert (decides == cost) if cost.cost < limit / 2 else (decides.playouts > cost.playouts)
            assert (agreed is not None) is (decides.cost < limit)
            assert agreed is None or agreed.price == decides


def test_what_only_seems_to_matter_is_played(prices) -> None:
    """The best of several estimates looks better than it is: a second look finds some of these cards harmless."""
    doubtful = [(view, card) for view, card, cost in prices if cost.cost >= MATTERS.limit]
    agreed = [by_guard(view, MATTERS, planned(view, MATTERS, guards=True), 7) for view, _ in doubtful]
    assert 0 < len([one for one in agreed if one]) < len(agreed) / 2


def test_the_seed_of_a_guard_reproduces_its_price(prices) -> None:
    for limit in (0.25, inf):
        for view, card, _ in prices[:5]:
            assert price(view, card, 7, limit) == price(view, card, 7, limit)


def test_the_best_card_costs_nothing(prices) -> None:
    view, *_ = prices[0]
    assert min(price(view, card, 1).cost for card in view.legal) == 0


def test_a_gift_of_thirteen_points_matters() -> None:
    """The queen on a trick that only this seat can win."""
    views = (view for seed in range(40) for _, view in views_of(Rules(), seed))
    queen = parse_code("QS")
    view = next(view for view in views if queen in view.legal and view.trick is None and len(view.legal) > 3)
    assert price(view, queen, 1).cost > 2, card_text(queen)
