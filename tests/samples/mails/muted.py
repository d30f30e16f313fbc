"""The last mail to a player who has muted a table where they play, or all of them."""

from dataclasses import replace

from tests.samples.cast import NASTY
from tests.samples.links import FOOT
from tests.samples.rendering import MailSample
from worker.mails.accounts import MutedMail

UNDO = FOOT["unsubscribe_link"]


def mails() -> dict[str, MailSample]:
    foot = {**FOOT, "unsubscribe_link": None}
    one = MutedMail(**foot, undo_link=UNDO, is_answered=True, you="Di", tables=["Ann's table"])
    several = ["Ann's table", "Bo's table", "Di's table"]
    nasty = replace(one, you=NASTY[0], tables=[f"{NASTY[1]}'s table"])
    return {
        "muted": ("muted", one),
        "muted-all": ("muted", replace(one, tables=several, is_answered=False)),
        "muted-nasty": ("muted", nasty),
    }
