"""Pages and mails that show a player's plan."""

from dataclasses import replace
from typing import Any

from hearts.plans import Asking, Order, Plan, Wake
from hearts.plans.ahead import USUAL
from hearts.rules import Rules, preset_rules
from tests.samples.hands import CAST, CLASSIC, LINK, NASTY, TABLE_LINK, Sample, sheet_ahead
from webapp.forms.plans import TRICKS, PlanForm, plan_form, read_plan_form
from webapp.pages.play import Follow, PlanLine
from webapp.presentation.ahead_text import ASKED, CLOCK, LABELS, PLAN_MAY_PLAY, SEALED, AheadSheet
from webapp.presentation.plan_text import LIMITS, WAKES, orders_for, plan_options, robot_label
from worker.questions import PlanText

ASKED_PAGE = (f"Cy plays before you. {ASKED}", PLAN_MAY_PLAY)
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
        "play-ahead-asked": (
            "play",
            {**waiting, "follow": slow, "plan": line, "ahead": replace(_ahead("8C", ""), asked=ASKED_PAGE)},
        ),
        "turn-lead": ("turn", {**turn, "leads": (("4D", "4♦"), ("AH", "A♥"))}),
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
    leads, lead = (("4D", "4♦"), ("AH", "A♥")), "4D" if kept else ""
    others = (("8C", "8♣"), ("4D", "4♦"), ("QD", "Q♦"))
    return AheadSheet(
        frozenset({"8C", "4D", "QD"}), chosen, kept, unless, leads, lead, "trick 5", 1, others, "4D" if kept else ""
    )


def plan_mails(turn: dict[str, Any], passing: dict[str, Any]) -> dict[str, Sample]:
    """The mails of a turn and a pass with a plan; `turn` and `passing` are contexts without one."""
    link = f"{TABLE_LINK}/plan"
    return {
        "turn-planned": ("turn", {**turn, "plan": PlanText("Ask me when it matters", link, LINK, False, PLAYED)}),
        "turn-ahead": ("turn", asked_ahead(turn, "Di and Ann play before you.")),
        "turn-ahead-planned": (
            "turn",
            {
                **asked_ahead(turn, "Ann plays before you.", PLAN_MAY_PLAY),
                "plan": PlanText("Ask me when it matters", link, LINK, False, ()),
            },
        ),
        "turn-ahead-nasty": ("turn", asked_ahead(turn, f"{NASTY[0]} and {NASTY[2]} play before you.", names=NASTY)),
        "turn-again": ("turn", {**turn, "why": "You chose 9♠ ahead, but the queen of spades fell.", "before": ()}),
        "pass-planned": ("pass", {**passing, "plan": PlanText("Play by my orders", link, LINK, False, ())}),
        "pass-plan-new": ("pass", {**passing, "plan": PlanText("Ask me when it matters", link, LINK, True, ())}),
    }


def asked_ahead(turn: dict[str, Any], before: str, *more: str, names: tuple[str, ...] = CAST) -> dict[str, Any]:
    """The context of a mail that asks before the turn; `before` says who plays first."""
    sheet = sheet_ahead(names)
    cards = {face.code: f"{LINK}?card={face.code}" for face in sheet.legal_faces}
    sentences = (f"{before} {ASKED}", SEALED, *more, CLOCK)
    return {**turn, "sheet": sheet, "card_links": cards, "deadline": None, "before": sentences, "why": ""}


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
