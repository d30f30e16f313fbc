"""The card planned by each plan, where it asks, and that its guard can be checked afterwards."""

from hypothesis import given, settings
from hypothesis import strategies as st

from hearts.plans import ASK, Asking, Plan, Rule, Wake, ordered, planned
from hearts.robot import are_alike, has_a_choice
from hearts.turns import Play
from tests.hearts.plans.any_plan import PLANS
from tests.hearts.plans.views import seen, some_views, views_of
from tests.hearts.strategies import any_rules

SAME, MATTERS = Plan(asking=Asking.SAME), Plan(asking=Asking.MATTERS)


@settings(max_examples=40)
@given(any_rules(), st.integers(0, 2**32), PLANS, st.booleans())
def test_a_plan_plays_only_the_legal_cards_it_was_told(rules, seed, plan, guards) -> None:
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
            assert plan.asking in (Asking.SHORT, Asking.MATTERS)
            assert (found.card, found.by) == ordered(view, plan.orders)
            assert found.guarded is guards


def test_the_bolder_the_plan_the_less_it_asks() -> None:
    views = some_views(3)
    by_plan = [sum(planned(view, plan, guards=True) is None for view in views) for plan in (ASK, SAME, MATTERS)]
    assert by_plan[0] == len(views) > by_plan[1] > by_plan[2] == 0


def test_cards_of_the_same_worth_are_played_without_a_guard() -> None:
    views = [view for view in some_views(3) if not has_a_choice(view)]
    assert views
    for view in views:
        assert planned(view, SAME, guards=True).by is planned(view, MATTERS, guards=True).by is Rule.SAME


def test_a_wake_up_is_stronger_than_cards_of_equal_worth() -> None:
    view = next(view for view in some_views(3) if not has_a_choice(view) and view.trick is None)
    assert planned(view, SAME, guards=True)
    assert planned(view, Plan(asking=Asking.SAME, wakes=frozenset({Wake.LEAD})), guards=True) is None


def test_the_queen_is_never_the_same_as_her_neighbours() -> None:
    assert planned(seen("KS QS JS", "AS"), SAME, guards=True) is None
