"""The page of a plan, and how the pages of a game show the plan and an answer ahead."""

from dataclasses import replace

from hearts.plans import Asking, Order, Plan, Wake
from hearts.plans.ahead import USUAL
from hearts.rules import Rules, preset_rules
from tests.samples.games import CLASSIC
from tests.samples.pages.play import asked, waiting
from tests.samples.plans import PLAYED
from tests.samples.rendering import Sample
from webapp.forms.plans import TRICKS, PlanForm, plan_form, read_plan_form
from webapp.pages.play import Follow, PlanLine
from webapp.presentation.ahead_text import ASKED, LABELS, PLAN_MAY_PLAY, AheadSheet
from webapp.presentation.plan_text import LIMITS, WAKES, orders_for, plan_options, robot_label

MATTERS = Plan(asking=Asking.MATTERS)
LINE = PlanLine("Ask me when it matters", "matters", "/play/x/plan", is_robot=False)
LEADS = (("4D", "4♦"), ("AH", "A♥"))


def pages() -> dict[str, Sample]:
    return {**_plans(), **_ahead(), **_shown()}


def _plans() -> dict[str, Sample]:
    some = Plan(asking=Asking.MATTERS, orders=frozenset({Order.DUCK}), wakes=frozenset({Wake.LEAD}), after_trick=9)
    wrong = read_plan_form({"asking": "cat", "details": "yes", "limit": "9"}, [], [], some, may_hand_over=True)
    return {
        "plan": _plan(MATTERS, played=PLAYED, hand=2),
        "plan-everywhere": _plan(some, name=""),
        "plan-orders": _plan(some, guards=False, hand=1, rules=preset_rules("omnibus")),
        "plan-side-by-side": _plan(MATTERS, hand=2, hands=4),
        "plan-wrong": _plan(some, form=wrong, hand=1),
    }


TERMS = (
    "Your answer is 8♣. Nobody else knows it.",
    "If the queen of spades falls, you play 4♦ instead.",
    "If other points fall, you play 4♦ instead.",
    "If you win the trick, you lead 4♦.",
)


def _ahead() -> dict[str, Sample]:
    """A player who may answer before their turn."""
    slow = {**waiting(), "follow": Follow("/play/x", "5f3a2c11", is_live=False)}
    kept = _ahead_sheet("8C", "Your answer is 8♣. Nobody else knows it.")
    by_mail = replace(_ahead_sheet("8C", ""), asked=(f"Cy plays before you. {ASKED}", PLAN_MAY_PLAY))
    return {
        "play-ahead-offered": ("play", {**slow, "ahead": _ahead_sheet("", "")}),
        "play-ahead-kept": ("play", {**slow, "ahead": kept}),
        "play-ahead-terms": ("play", {**slow, "ahead": _ahead_sheet("8C", " ".join(TERMS))}),
        "play-ahead-asked": ("play", {**slow, "plan": LINE, "ahead": by_mail}),
        "turn-lead": ("turn", {**asked(), "leads": LEADS}),
    }


def _shown() -> dict[str, Sample]:
    """A plan that plays, or a robot to whom the player has handed over."""
    robot, robots = (
        PlanLine(robot_label(hands), "matters", "/play/x/plan", is_robot=True, hands=hands) for hands in (1, 4)
    )
    return {
        "turn-planned": ("turn", {**asked(), "plan": LINE, "done": "Your plan discarded K♥, your highest heart."}),
        "play-handed-over": ("play", {**waiting(), "plan": robot}),
        "play-handed-over-side-by-side": ("play", {**waiting(), "plan": robots}),
    }


def _ahead_sheet(chosen: str, kept: str) -> AheadSheet:
    unless = tuple((one.value, label, one in USUAL) for one, label in LABELS.items())
    lead = "4D" if kept else ""
    others = (("8C", "8♣"), ("4D", "4♦"), ("QD", "Q♦"))
    cards = frozenset({"8C", "4D", "QD"})
    return AheadSheet(cards, chosen, kept, unless, LEADS, lead, "trick 5", 1, others, lead)


def _plan(
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
