"""Our answers to replies, by reason."""

from typing import Any

from tests.samples.games import moon_game
from tests.samples.mails.frames import TO_DI, TO_NASTY
from tests.samples.mails.questions import card_question, question
from tests.samples.rendering import Sample
from tests.samples.sheets import pass_sheets, sheet_ahead, sheet_of, sheets
from worker.answers import ENDED

COULD_NOT, NONE = "We couldn't read your answer", "Nothing was played."
YOUR_TURN = {**TO_DI, "awaited": "It is your turn."}
UNREAD = {**YOUR_TURN, "heading": COULD_NOT, "sentences": (NONE,)}


def mails() -> dict[str, Sample]:
    return {**_unread(), **_refused(), **_read()}


def _unread() -> dict[str, Sample]:
    """Replies that we could not read: each asks once more."""
    first_line = "The first line that you write must be one card, and nothing else."
    unclear = {"sentences": (NONE, first_line)}
    return {
        "answer-unclear": ("answer", {**UNREAD, **card_question(sheets()["following"]), **unclear}),
        "answer-nasty": ("answer", {**UNREAD, **TO_NASTY, **card_question(sheets()["nasty"])}),
        "answer-eleven": ("answer", {**UNREAD, **card_question(sheets()["eleven"])}),
        "answer-pass": ("answer", {**UNREAD, **question(pass_sheets()["classic"])}),
        "answer-moon": ("answer", {**UNREAD, **question(sheet_of(moon_game()))}),
    }


def _refused() -> dict[str, Sample]:
    """Replies that we read, but that can't be: each asks once more."""
    return {
        "answer-illegal": _asking(
            sheets()["void"],
            "Q♠\ufe0e may not be played now",
            "You can't play Q♠\ufe0e now. You can follow clubs.",
            NONE,
        ),
        "answer-cannot": _asking(
            sheet_ahead(), "That can't be your answer", "You don't have 4♦\ufe0e.", "Nothing was changed."
        ),
        "answer-ended": _asking(sheets()["following"], "That email can't be answered any more", *ENDED),
    }


def _asking(sheet: Any, heading: str, *sentences: str) -> Sample:
    return "answer", {**YOUR_TURN, **card_question(sheet), "heading": heading, "sentences": sentences}


def _read() -> dict[str, Sample]:
    """Replies that ask for nothing more."""
    over = "Your answer came when that turn was over, so nothing was changed."
    return {
        "answer-kept": _saying(
            "Your answer is kept",
            "Your answer is 9♠\ufe0e. Nobody else knows it.",
            "You are asked again if the queen of spades falls.",
            "You can change it until your turn: answer this mail.",
        ),
        "answer-over": _saying("That turn was over", over, "You played 7♦\ufe0e."),
        "answer-away": _saying(
            "You are away from Table 7F3K",
            "From now on a robot plays your turns at once.",
            'Whenever you want to play again, answer "back" to any of our mails.',
        ),
    }


def _saying(heading: str, *sentences: str) -> Sample:
    words = {"heading": heading, "sentences": sentences, "awaited": "The table waits for Bo."}
    return "answer", {**TO_DI, **words, "sheet": None}
