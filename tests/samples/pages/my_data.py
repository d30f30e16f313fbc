"""A player's data: how long we keep it, the file with all of it, and the way to be forgotten."""

from tests.samples.cast import NASTY
from tests.samples.links import LINK
from tests.samples.rendering import PageSample
from webapp.pages.players import Forget, MyData, Privacy
from webapp.players.forgetting import JUST_MOVED, NO_FRESH_SIGN_IN


def pages() -> dict[str, PageSample]:
    kept = Privacy(
        mails_for="30 days",
        replies_for="14 days",
        addresses_for="30 days",
        sign_ins_for="90 days",
        acts_for="365 days",
        unanswered_for="60 days",
    )
    return {
        "privacy": kept,
        "my-data": MyData(is_fresh=True),
        "my-data-asked": MyData(is_fresh=True, is_asked=True),
        "my-data-stale": MyData(is_fresh=False, error=NO_FRESH_SIGN_IN),
        "forget": Forget(name="Ann", action=LINK),
        "forget-nasty": Forget(name=NASTY[0], action=LINK, error=JUST_MOVED),
        "forgotten": Forget(name="", action=None),
    }
