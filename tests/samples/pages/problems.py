"""Problems, by status; and the page without a connection."""

from tests.samples.rendering import Sample
from webapp.pages.problems import DATABASE_DOWN

STATUSES = (400, 403, 404, 405, 409, 410, 413, 421, 429, 500)
OLD_LINK = {"heading": "This link is too old", "sentence": "It was good once, but not for this long."}


def pages() -> dict[str, Sample]:
    may = {"may_be_cut": True, "may_sign_in": True}
    made: dict[str, Sample] = {
        f"problem-{status}": ("problem", {"status": status, **OLD_LINK, **may}) for status in STATUSES
    }
    heading, sentence = DATABASE_DOWN
    return made | {
        "problem-503": ("problem", {"status": 503, "heading": heading, "sentence": sentence}),
        "problem-elsewhere": ("problem", _elsewhere()),
        "problem-not-shared": ("problem", _not_shared()),
        "offline": ("offline", {"mailbox": False}),
    }


def _elsewhere() -> dict[str, object]:
    heading = "This did not come from our own page"
    sentence = "Your browser says that another site sent this, or does not say who did. Nothing was changed. "
    sentence += "Please open our page yourself and use its button."
    return {"status": 403, "heading": heading, "sentence": sentence, "may_be_cut": False}


def _not_shared() -> dict[str, object]:
    heading = "This result is not shared any more"
    sentence = "The player who shared this result has stopped sharing it."
    return {"status": 410, "heading": heading, "sentence": sentence, "may_be_cut": False, "may_sign_in": False}
