"""A player's plan: which cards are played without asking them, and which card that is; and their answers ahead.

`plan` is what a player has chosen, `orders` and `wakes` are pure functions of what their seat sees, `guard` asks the
robot what an order would cost, and `planned` puts them together. `ahead` is a card for one trick, chosen before the
player's turn. Nothing here is given more than one seat's view.
"""

from hearts.plans.guard import Price, price
from hearts.plans.orders import Order, ordered
from hearts.plans.plan import (
    ASK,
    FULL_WAIT,
    LIMITS,
    NO_WAIT,
    SHORT_WAIT,
    Asking,
    BadPlan,
    Plan,
    parse_plan,
    plan_mapping,
)
from hearts.plans.planned import Planned, Rule, by_guard, planned, would_ask
from hearts.plans.wakes import Wake

__all__ = [
    "ASK",
    "FULL_WAIT",
    "LIMITS",
    "NO_WAIT",
    "SHORT_WAIT",
    "Asking",
    "BadPlan",
    "Order",
    "Plan",
    "Planned",
    "Price",
    "Rule",
    "Wake",
    "by_guard",
    "ordered",
    "parse_plan",
    "plan_mapping",
    "planned",
    "price",
    "would_ask",
]
