"""Problems, by status; and the page without a connection."""

from tests.samples.rendering import PageSample
from webapp.pages.requests import DATABASE_DOWN, Problem

STATUSES = (400, 403, 404, 405, 409, 410, 413, 421, 429, 500)


def pages() -> dict[str, PageSample]:
    heading, sentence = DATABASE_DOWN
    made: dict[str, PageSample] = {
        f"problem-{status}": Problem(
            status=status, heading="This link is too old", sentence="It was good once, but not for this long."
        )
        for status in STATUSES
    }
    return made | {
        "problem-503": Problem(status=503, heading=heading, sentence=sentence),
        "problem-elsewhere": _elsewhere(),
        "problem-not-shared": _not_shared(),
        "offline": ("offline", {"mailbox": False}),
    }


def _elsewhere() -> Problem:
    heading = "This did not come from our own page"
    sentence = "Your browser says that another site sent this, or does not say who did. Nothing was changed. "
    sentence += "Please open our page yourself and use its button."
    return Problem(status=403, heading=heading, sentence=sentence, may_be_cut=False)


def _not_shared() -> Problem:
    heading = "This result is not shared any more"
    sentence = "The player who shared this result has stopped sharing it."
    return Problem(status=410, heading=heading, sentence=sentence, may_be_cut=False, may_sign_in=False)
