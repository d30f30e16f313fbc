"""A deadline is over, and the turn was played for its player."""

from typing import Any

from tests.samples.links import LINK
from tests.samples.mails.frames import TO_DI, frame_of
from tests.samples.rendering import Sample
from tests.samples.sheets import sheets

MISSED: dict[str, Any] = {
    "what": "The deadline was over. We played Q♠ for you.",
    "is_live": False,
    "is_away": False,
    "back_link": LINK,
    "sheet": None,
}


def mails() -> dict[str, Sample]:
    missed = {**TO_DI, **MISSED}
    return {
        "played-for-you-bare": ("played_for_you", missed),
        "played-for-you-away": ("played_for_you", {**missed, "is_away": True}),
        "played-for-you-live": ("played_for_you", {**missed, "is_live": True}),
        "played-for-you-away-live": ("played_for_you", {**missed, "is_away": True, "is_live": True}),
        **{
            f"played-for-you-{name}": ("played_for_you", {**frame_of(name), **MISSED, "sheet": sheet})
            for name, sheet in sheets().items()
        },
    }
