"""The card that a plan plays; none, where its player is to be asked."""

from dataclasses import dataclass, replace
from enum import StrEnum

from hearts.cards import QUEEN_OF_SPADES, Card
from hearts.game import Stage
from hearts.plans.ahead import foreseen
from hearts.plans.guard import Price, price, price_ahead
from hearts.plans.orders import EVERY_ORDER, Order, ordered
from hearts.plans.plan import Asking, Plan
from hearts.plans.wakes import wakes_for
from hearts.robot import has_a_choice
from hearts.view import View


class Rule(StrEnum):
    """By what a card was played, if by no order."""

    SAME = "same"
    """Every card that could be played was equivalent."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A card that a plan plays, if the guard agrees where it is `guarded`."""

    card: Card
    by: Order | Rule
    guarded: bool
    price: Price | None = None


def planned(view: View, plan: Plan, *, guards: bool) -> Planned | None:
    """The card that `plan` plays for the seat of `view`; None if its player is asked.

    If the result is `guarded`, `by_guard` decides. `guards` is whether the table allows that; without it, the orders
    play alone. With it, a choice in which the queen of spades may be played is always the player's.
    """
    if plan.asking is Asking.ASK or view.stage is not Stage.PLAY or not view.legal:
        return None
    found = _found(view, plan, guards=guards)
    return None if found is None or wakes_for(view, found.card, plan.wakes, plan.after_trick) else found


def by_guard(view: View, plan: Plan, found: Planned, seed: int) -> Planned | None:
    """`found` with its price; None if it costs as much as the plan's limit, so that the player is asked."""
    cost = price(view, found.card, seed, plan.limit)
    if cost is None or cost.cost >= plan.limit:
        return None
    return replace(found, price=cost)


def would_ask(view: View, plan: Plan, *, guards: bool, seed: int) -> bool:
    """Whether `plan` would ask its player about the trick on the table, by what they see before it is their turn.

    False if they have no choice, or no card to play to it later. The guard looks as `by_guard` does, where the table
    allows that (`guards`).
    """
    ahead = foreseen(view)
    if ahead is None:
        return False
    if plan.asking is Asking.ASK:
        return True
    found = planned(ahead, plan, guards=guards)
    return found is None or (found.guarded and price_ahead(ahead, found.card, seed, plan.limit).cost >= plan.limit)


def _may_play_queen(view: View) -> bool:
    """Whether a queen of spades that counts is among the cards that the seat may play.

    To its player such a choice matters, however little the robot finds at stake.
    """
    return view.rules.queen_points != 0 and QUEEN_OF_SPADES in view.legal


def _found(view: View, plan: Plan, *, guards: bool) -> Planned | None:
    if not has_a_choice(view):
        alike = ordered(view, EVERY_ORDER)
        return Planned(alike.card if alike else min(view.legal), Rule.SAME, guarded=False)
    if plan.asking not in (Asking.SHORT, Asking.MATTERS) or (guards and _may_play_queen(view)):
        return None
    found = ordered(view, plan.orders)
    return Planned(found.card, found.order, guarded=guards) if found else None
