"""The cost of a card, found by a seed, and a second time where it seems to matter."""

import pytest

from hearts.cards import parse_code
from hearts.robot import has_a_choice
from hearts.rules import Rules
from hearts.waits import STAKE, default_card, may_shed_queen, small_price
from hearts.waits.stake import price
from tests.hearts.views import seen, some_views, views_of


@pytest.fixture(scope="module")
def prices():
    """Every third decision of two hands: its view, the default card, and its price."""
    views = [view for view in some_views(2) if has_a_choice(view)][::3]
    cards = [default_card(view) for view in views]
    return [(view, card, price(view, card, 7)) for view, card in zip(views, cards, strict=True)]


def test_a_choice_hardly_matters_below_the_stake(prices) -> None:
    found = [small_price(view, card, 7) for view, card, _ in prices]
    assert {one is None for one in found} == {True, False}
    for small, (*_, cost) in zip(found, prices, strict=True):
        assert small == (cost if cost.cost < STAKE else None)


def test_the_seed_of_a_look_reproduces_its_price(prices) -> None:
    for view, card, cost in prices[:5]:
        assert price(view, card, 7) == cost


def test_a_look_at_a_harmless_card_ends_soon(prices) -> None:
    harmless = [cost.playouts for *_, cost in prices if not cost.cost]
    doubtful = [cost.playouts for *_, cost in prices if cost.cost >= STAKE]
    assert sum(harmless) / len(harmless) < sum(doubtful) / len(doubtful)


@pytest.mark.parametrize("trick", ["AD", "AS"], ids=["to discard her", "to play her under the ace"])
def test_a_choice_with_the_queen_is_the_players(trick) -> None:
    assert may_shed_queen(seen("2S QS 2H", trick))
    assert not may_shed_queen(seen("2S JS 2H", trick))
    assert not may_shed_queen(seen("2S QS 2H", trick, rules={"queen_points": 0}))


@pytest.mark.parametrize("trick", ["", "5S"], ids=["to lead her", "she would win"])
def test_a_queen_that_cannot_go_is_like_others(trick) -> None:
    assert not may_shed_queen(seen("2S QS 2H", trick))


def test_the_best_card_costs_nothing(prices) -> None:
    view, *_ = prices[0]
    costs = [found.cost for card in view.legal if (found := price(view, card, 1))]
    assert min(costs) == 0


def test_a_gift_of_thirteen_points_matters() -> None:
    """The queen on a trick that only this seat can win."""
    views = (view for seed in range(40) for _, view in views_of(Rules(), seed))
    queen = parse_code("QS")
    view = next(view for view in views if queen in view.legal and view.trick is None and len(view.legal) > 3)
    assert price(view, queen, 1).cost > 2
