"""A turn and a pass of a player who has a plan, and the question before the turn."""

from typing import Any

from tests.samples.cast import CAST, NASTY
from tests.samples.links import LINK, TABLE_LINK
from tests.samples.mails.questions import card_question, passing, turn
from tests.samples.plans import PLAYED
from tests.samples.rendering import Sample
from tests.samples.sheets import sheet_ahead
from webapp.presentation.ahead_text import ASKED, CLOCK, PLAN_MAY_PLAY, SEALED
from worker.questions import PlanText

PLAN_LINK = f"{TABLE_LINK}/plan"
MATTERS = PlanText("Ask me when it matters", PLAN_LINK, LINK, False, ())
PLANNED = PlanText("Ask me when it matters", PLAN_LINK, LINK, False, PLAYED)


def mails() -> dict[str, Sample]:
    return {**_planned(), **_ahead()}


def _planned() -> dict[str, Sample]:
    orders = PlanText("Play by my orders", PLAN_LINK, LINK, False, ())
    new = PlanText("Ask me when it matters", PLAN_LINK, LINK, True, ())
    return {
        "turn-planned": ("turn", {**turn("following"), "plan": PLANNED}),
        "pass-planned": ("pass", {**passing("classic"), "plan": orders}),
        "pass-plan-new": ("pass", {**passing("classic"), "plan": new}),
    }


def _ahead() -> dict[str, Sample]:
    by_plan = _asked_ahead("Ann plays before you.", PLAN_MAY_PLAY)
    nasty = _asked_ahead(f"{NASTY[0]} and {NASTY[2]} play before you.", names=NASTY)
    forbidden = {"why": "You chose 9♠ ahead, but it can't be played now.", "before": ()}
    again = {"why": "You chose 9♠ ahead, but the queen of spades fell.", "before": ()}
    return {
        "turn-ahead": ("turn", _asked_ahead("Di and Ann play before you.")),
        "turn-ahead-planned": ("turn", {**by_plan, "plan": MATTERS}),
        "turn-ahead-nasty": ("turn", nasty),
        "turn-again": ("turn", {**turn("following"), **again}),
        "turn-again-forbidden": (
            "turn",
            {**turn("void"), **forbidden},
        ),
    }


def _asked_ahead(before: str, *more: str, names: tuple[str, ...] = CAST) -> dict[str, Any]:
    """The context of an email that asks before the turn; `before` says who plays first."""
    sentences = (f"{before} {ASKED}", SEALED, *more, CLOCK)
    return {**turn("following"), **card_question(sheet_ahead(names)), "deadline": None, "before": sentences, "why": ""}
