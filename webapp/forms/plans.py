"""The form of a player's plan: it yields a `Plan`, or that a robot plays this hand, or messages at invalid fields."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hearts.plans import LIMITS, Asking, Order, Plan, Wake
from hearts.plans.plan import LATEST
from webapp.forms.fields import LONGEST_ECHO, TICKED, BadField, Form
from webapp.games.planning import ROBOT

TRICKS = [("0", "never"), *((str(trick), f"trick {trick}") for trick in range(1, LATEST + 1))]


@dataclass(slots=True)
class PlanForm(Form):
    """The form of a plan. `plan` is None if any field is invalid, and if a robot is to play this hand (`is_robot`)."""

    plan: Plan | None = None
    is_robot: bool = False
    is_everywhere: bool = False  # at all tables of the player, and in new games


def plan_form(plan: Plan, *, is_robot: bool = False, asking: str = "") -> PlanForm:
    """The initial form. `asking` is a choice to begin with, from a link; anything unknown is ignored."""
    chosen = ROBOT if is_robot else asking if asking in tuple(Asking) else plan.asking.value
    values = {"asking": chosen, "limit": str(plan.limit), "after_trick": str(plan.after_trick)}
    return PlanForm(values, plan=plan, is_robot=is_robot)


def read_plan_form(
    fields: Mapping[str, str], orders: Sequence[str], wakes: Sequence[str], before: Plan, *, may_hand_over: bool
) -> PlanForm:
    """Parses the form as it was sent; `before` is the plan until now, whose details stay if the form has none."""
    form = PlanForm({name: text[:LONGEST_ECHO] for name, text in fields.items()})
    form.is_everywhere = form.values.get("everywhere") == TICKED
    if form.values.get("asking") == ROBOT and may_hand_over:
        form.is_robot = True
        return form
    asking = form.take("asking", _read_asking)
    if "details" not in fields:
        form.plan = None if asking is None else replace(before, asking=asking)
        return form
    limit, after_trick = form.take("limit", _read_limit), form.take("after_trick", _read_trick)
    try:
        chosen = frozenset(map(Order, orders)), frozenset(map(Wake, wakes))
    except ValueError:
        form.errors["orders"] = "Please use the boxes on this page."
        return form
    if asking is not None and limit is not None and after_trick is not None:
        form.plan = Plan(asking=asking, limit=limit, orders=chosen[0], wakes=chosen[1], after_trick=after_trick)
    return form


def _read_asking(text: str) -> Asking:
    try:
        return Asking(text)
    except ValueError:
        raise BadField("Choose when you'd like to be asked.") from None


def _read_limit(text: str) -> float:
    if text not in map(str, LIMITS):
        raise BadField("Choose from the list what matters.")
    return float(text)


def _read_trick(text: str) -> int:
    if text not in dict(TRICKS):
        raise BadField("Choose a trick from the list.")
    return int(text)
