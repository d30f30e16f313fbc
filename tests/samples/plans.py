"""Pages and mails that show a player's plan."""

from typing import Any

from hearts.plans import Asking, Order, Plan, Wake
from hearts.plans.ahead import USUAL
from hearts.rules import Rules, preset_rules
from tests.samples.hands import CLASSIC, LINK, TABLE_LINK, Sample
from webapp.forms.plans import TRICKS, PlanForm, plan_form, read_plan_form
from webapp.pages.play import Follow, PlanLine
from webapp.presentation.ahead_text import LABELS, AheadSheet
from webapp.presentation.plan_text import LIMITS, WAKES, orders_for, plan_options, robot_label
from worker.questions import PlanText

MATTERS = Plan(asking=Asking.MATTERS)
PLAYED = (
    "Trick 2: Your plan played 9♠, your highest card that did not win.",
    "Trick 3: Your plan discarded K♥, your highest heart.",
    "Trick 4: Your plan played 5♣: every card that you could play was worth the same.",
)


def plan_pages(turn: dict[str, Any], waiting: dict[str, Any]) -> dict[str, Sample]:
    """The page of a plan, and how the pages of a game show it; `turn` and `waiting` are contexts of these."""
    some = Plan(asking=Asking.MATTERS, orders=frozenset({Order.DUCK}), wakes=frozenset({Wake.LEAD}), after_trick=9)
    wrong = read_plan_form({"asking": "cat", "details": "yes", "limit": "9"}, [], [], some, may_hand_over=True)
    slow = Follow("/play/x", "5f3a2c11", is_live=False)
    line = PlanLine("Ask me when it matters", "matters", "/play/x/plan", is_robot=False)
    return {
        "plan": _page(MATTERS, played=PLAYED, hand=2),
        "plan-everywhere": _page(some, name=""),
        "plan-orders": _page(some, guards=False, hand=1, rules=preset_rules("omnibus")),
        "plan-side-by-side": _page(MATTERS, hand=2, hands=4),
        "plan-wrong": _page(some, form=wrong, hand=1),
        "turn-planned": (
            "turn",
            {**turn, "plan": line, "done": "Your plan discarded K♥, your highest heart."},
        ),
        "play-ahead-offered": ("play", {**waiting, "follow": slow, "ahead": _ahead("", "")}),
        "play-ahead-kept": (
            "play",
            {**waiting, "follow": slow, "ahead": _ahead("8C", "Your answer is 8♣. Nobody else knows it.")},
        ),
        "play-handed-over": (
            "play",
            {**waiting, "plan": PlanLine(robot_label(1), "matters", "/play/x/plan", is_robot=True)},
        ),
        "play-handed-over-side-by-side": (
            "play",
            {**waiting, "plan": PlanLine(robot_label(4), "matters", "/play/x/plan", is_robot=True, hands=4)},
        ),
    }


def _ahead(chosen: str, kept: str) -> AheadSheet:
    unless = tuple((one.value, label, one in USUAL) for one, label in LABELS.items())
    return AheadSheet(
        frozenset({"8C", "4D", "QD"}), chosen, kept, unless, (("4D", "4♦"), ("AH", "A♥")), "4D" if kept else ""
    )


def plan_mails(turn: dict[str, Any], passing: dict[str, Any]) -> dict[str, Sample]:
    """The mails of a turn and a pass with a plan; `turn` and `passing` are contexts without one."""
    link = f"{TABLE_LINK}/plan"
    return {
        "turn-planned": ("turn", {**turn, "plan": PlanText("Ask me when it matters", link, LINK, False, PLAYED)}),
        "pass-planned": ("pass", {**passing, "plan": PlanText("Play by my orders", link, LINK, False, ())}),
        "pass-plan-new": ("pass", {**passing, "plan": PlanText("Ask me when it matters", link, LINK, True, ())}),
    }


def _page(
    plan: Plan,
    *,
    form: PlanForm | None = None,
    name: str = "Table 7F3K",
    guards: bool = True,
    hand: int | None = None,
    hands: int = 1,
    rules: Rules = CLASSIC,
    played: tuple[str, ...] = (),
) -> Sample:
    return "plan", {
        "owner": {"table_name": name, "guards": guards, "played": played, "back": "/play/x"},
        "form": form or plan_form(plan),
        "shown": plan,
        "options": plan_options(guards=guards, hands=0 if hand is None else hands),
        "limits": LIMITS,
        "orders": orders_for(rules).items(),
        "wakes": WAKES.items(),
        "tricks": TRICKS,
        "action": "/play/x/plan",
    }
