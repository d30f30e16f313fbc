"""The card planned by each plan, where it asks, and that its guard can be checked afterwards."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts.cards import QUEEN_OF_SPADES
from hearts.plans import ASK, Asking, Plan, Rule, Wake, ordered, planned
from hearts.robot import are_alike, has_a_choice
from hearts.turns import Play
from tests.hearts.plans.any_plan import PLANS
from tests.hearts.plans.views import seen, some_views, views_of
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
            assert plan.asking in (Asking.SHORT, Asking.MATTERS)
            assert (found.card, found.by) == ordered(view, plan.orders)
            assert found.guarded is guards


def test_the_bolder_the_plan_the_less_it_asks() -> None:
    views = some_views(3)
    by_plan = [sum(planned(view, plan, guards=True) is None for view in views) for plan in (ASK, SAME, MATTERS)]
    with_queen = sum(QUEEN_OF_SPADES in view.legal and has_a_choice(view) for view in views)
    assert by_plan[0] == len(views) > by_plan[1] > by_plan[2] == with_queen > 0


@pytest.mark.parametrize("plan", [Plan(asking=Asking.SHORT), MATTERS])
@pytest.mark.parametrize("trick", ["AD", "AS", ""], ids=["to discard her", "to play her under the ace", "to lead her"])
def test_a_choice_with_the_queen_of_spades_is_the_players(plan, trick) -> None:
    assert planned(seen("2S QS 2H", trick), plan, guards=True) is None
    assert planned(seen("2S JS 2H", trick), plan, guards=True) is not None
    worthless = seen("2S QS 2H", trick, rules={"queen_points": 0})
    assert planned(worthless, plan, guards=True) is not None


def test_without_a_guard_the_order_discards_the_queen_of_spades() -> None:
    assert planned(seen("2S QS 2H", "AD"), MATTERS, guards=False).card == QUEEN_OF_SPADES


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
