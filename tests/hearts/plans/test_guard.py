"""The guard: what a card costs, found by a seed, and a second time where it seems to matter."""

import pytest

from hearts.cards import HEARTS, card_text, parse_code
from hearts.game import Stage
from hearts.plans import Asking, Plan, by_guard, ordered, planned, price
from hearts.plans.ahead import foreseen
from hearts.plans.guard import price_ahead
from hearts.plans.orders import EVERY_ORDER
from hearts.robot import has_a_choice
from hearts.rules import Rules
from hearts.seats import Seat
from hearts.view import view as view_of
from tests.hearts.plans.views import some_views, views_of

MATTERS = Plan(asking=Asking.MATTERS)


@pytest.fixture(scope="module")
def prices():
    """Every third decision of two hands that is not the player's alone: its view, the card of the orders, its price."""
    views = [view for view in some_views(2) if has_a_choice(view) and planned(view, MATTERS, guards=True)][::3]
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
            assert (agreed is not None) is (decides.cost < limit)
            assert agreed is None or agreed.price == decides
            assert agreed or cost.cost >= limit / 4, "what a whole search finds harmless"


def test_a_look_ends_once_it_is_clear_whether_the_card_costs_less_than_the_limit(prices) -> None:
    harmless = [(view, card, cost) for view, card, cost in prices if not cost.cost]
    played = [(price(view, card, 7, 1.0).playouts, cost.playouts) for view, card, cost in harmless]
    assert sum(short for short, _ in played) < sum(whole for _, whole in played) / 2


def test_what_only_seems_to_matter_is_played(prices) -> None:
    """The best of several estimates looks better than it is: a second look finds some of these cards harmless."""
    doubtful = [(view, card) for view, card, cost in prices if cost.cost >= MATTERS.limit]
    agreed = [by_guard(view, MATTERS, planned(view, MATTERS, guards=True), 7) for view, _ in doubtful]
    assert 0 < len([one for one in agreed if one]) < len(agreed) / 2


def test_the_seed_of_a_guard_reproduces_its_price(prices) -> None:
    for limit in (0.25, None):
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


def test_a_card_that_takes_a_trick_of_hearts_costs_more_ahead_than_one_that_does_not() -> None:
    """The last to follow has the ace, which takes up to four hearts, and two others have not played yet."""
    game = next(filter(is_heart_led_to_the_ace, (one for seed in range(200) for one, _ in random_views(seed))))
    seat = Seat((game.leader - 1) % 4)
    low, ace = sorted(game.held[seat] & HEARTS)
    seen_by = foreseen(view_of(game, seat))
    assert price_ahead(seen_by, ace, seed=1).cost > 1 > price_ahead(seen_by, low, seed=1).cost == 0


def random_views(seed):
    return views_of(Rules(), seed, well=False)


def is_heart_led_to_the_ace(game):
    """Whether a heart is led, and the last to follow holds the ace of hearts and one that is lower than the lead."""
    if game.stage is not Stage.PLAY or len(game.on_table) != 1 or not 9 < game.trick < 12:
        return False
    mine = sorted(game.held[(game.leader - 1) % 4] & HEARTS)
    return len(mine) == 2 and card_text(mine[-1]) == "AH" and mine[0] < game.on_table[0] and game.on_table[0] >= 39
