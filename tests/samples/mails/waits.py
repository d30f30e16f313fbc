"""A turn of a player for whom we play what hardly matters, and the question before the turn."""

from dataclasses import replace

from tests.samples.cast import CAST, NASTY
from tests.samples.links import TABLE_LINK
from tests.samples.mails.questions import card_question, turn
from tests.samples.played import PLAYED
from tests.samples.rendering import MailSample
from tests.samples.sheets import sheet_ahead
from webapp.presentation.ahead_text import ASKED, CLOCK, SEALED, WE_MAY_PLAY
from worker.mails.question import QuestionMail, WaitText

WAIT_LINK = f"{TABLE_LINK}/wait"
SHORT = "When a choice hardly matters, we wait at least 4 hours for you."
PLAYED_FOR_THEM = WaitText(SHORT, WAIT_LINK, PLAYED)


def mails() -> dict[str, MailSample]:
    return {**_played_for_you(), **_ahead()}


def _played_for_you() -> dict[str, MailSample]:
    return {"turn-played-for-you": ("turn", replace(turn("following"), wait=PLAYED_FOR_THEM))}


def _ahead() -> dict[str, MailSample]:
    may_play = _asked_ahead("Ann plays before you.", WE_MAY_PLAY)
    nasty = _asked_ahead(f"{NASTY[0]} and {NASTY[2]} play before you.", names=NASTY)
    forbidden = "You chose 9♠ before your turn, but you can't play it now."
    again = "You chose 9♠ before your turn, but the queen of spades fell."
    return {
        "turn-ahead": ("turn", _asked_ahead("Di and Ann play before you.")),
        "turn-ahead-may-play": ("turn", may_play),
        "turn-ahead-nasty": ("turn", nasty),
        "turn-again": ("turn", replace(turn("following"), why=again)),
        "turn-again-forbidden": ("turn", replace(turn("void"), why=forbidden)),
    }


def _asked_ahead(before: str, *more: str, names: tuple[str, ...] = CAST) -> QuestionMail:
    """An email that asks before the turn; `before` says who plays first."""
    sentences = (f"{before} {ASKED}", SEALED, *more, CLOCK)
    asked = card_question(sheet_ahead(names))
    return replace(turn("following"), **{**asked, "deadline": None, "before": sentences})
