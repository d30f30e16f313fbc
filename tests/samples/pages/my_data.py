"""A player's data: how long we keep it, the file with all of it, and the way to be forgotten."""

from tests.samples.cast import NASTY
from tests.samples.links import LINK
from tests.samples.rendering import Sample
from webapp.players.forgetting import JUST_MOVED, NO_FRESH_SIGN_IN


def pages() -> dict[str, Sample]:
    kept = {"mails_for": "30 days", "replies_for": "14 days", "addresses_for": "30 days", "sign_ins_for": "90 days"}
    kept |= {"acts_for": "365 days", "unanswered_for": "60 days"}
    fresh = {"is_fresh": True, "is_asked": False, "error": None}
    stale = {"is_fresh": False, "is_asked": False, "error": NO_FRESH_SIGN_IN}
    return {
        "privacy": ("privacy", kept),
        "my-data": ("my_data", fresh),
        "my-data-asked": ("my_data", {**fresh, "is_asked": True}),
        "my-data-stale": ("my_data", stale),
        "forget": ("forget", {"name": "Ann", "action": LINK, "error": None}),
        "forget-nasty": ("forget", {"name": NASTY[0], "action": LINK, "error": JUST_MOVED}),
        "forgotten": ("forget", {"name": "", "action": None, "error": None}),
    }
