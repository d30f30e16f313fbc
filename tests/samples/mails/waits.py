"""A turn of a player for whom we play what hardly matters."""

from dataclasses import replace

from tests.samples.links import TABLE_LINK
from tests.samples.mails.questions import turn
from tests.samples.played import PLAYED
from tests.samples.rendering import MailSample
from worker.mails.question import WaitText

WAIT_LINK = f"{TABLE_LINK}/wait"
SHORT = "When a choice hardly matters, we wait at least 4 hours for you."
PLAYED_FOR_THEM = WaitText(SHORT, WAIT_LINK, PLAYED)


def mails() -> dict[str, MailSample]:
    return {"turn-played-for-you": ("turn", replace(turn("following"), wait=PLAYED_FOR_THEM))}
