"""A deadline is over, and the turn was played for its player."""

from dataclasses import replace
from typing import Any

from tests.samples.links import LINK
from tests.samples.mails.frames import IN_GAME, frame_of
from tests.samples.rendering import MailSample
from tests.samples.sheets import sheets
from worker.mails.played_for_you import PlayedForYouMail

MISSED: dict[str, Any] = {
    "what": "The deadline was over. We played Q♠ for you.",
    "is_live": False,
    "is_away": False,
    "back_link": LINK,
    "sheet": None,
}


def mails() -> dict[str, MailSample]:
    missed = PlayedForYouMail(**IN_GAME, **MISSED)
    return {
        "played-for-you-bare": ("played_for_you", missed),
        "played-for-you-away": ("played_for_you", replace(missed, is_away=True)),
        "played-for-you-live": ("played_for_you", replace(missed, is_live=True)),
        "played-for-you-away-live": ("played_for_you", replace(missed, is_away=True, is_live=True)),
        **{
            f"played-for-you-{name}": (
                "played_for_you",
                PlayedForYouMail(**frame_of(name), **{**MISSED, "sheet": sheet}),
            )
            for name, sheet in sheets().items()
        },
    }
