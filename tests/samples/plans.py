"""Mails that show a player's plan."""

from typing import Any

from tests.samples.hands import CAST, LINK, NASTY, TABLE_LINK, Sample, sheet_ahead
from webapp.presentation.ahead_text import ASKED, CLOCK, PLAN_MAY_PLAY, SEALED
from worker.questions import PlanText

PLAYED = (
    "Trick 2: Your plan played 9♠, your highest card that did not win.",
    "Trick 3: Your plan discarded K♥, your highest heart.",
    "Trick 4: Your plan played 5♣: every card that you could play was worth the same.",
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
