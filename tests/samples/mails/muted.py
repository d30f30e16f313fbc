"""The last mail to a player who has muted a table where they play, or all of them."""

from dataclasses import replace

from tests.samples.cast import NASTY
from tests.samples.links import FOOT, TABLE_LINK
from tests.samples.rendering import MailSample
from worker.mails.muted import MutedMail, MutedTable

UNDO = FOOT["unsubscribe_link"]
LEAVE = TABLE_LINK.replace("/seat/", "/leave/")


def mails() -> dict[str, MailSample]:
    foot = {**FOOT, "unsubscribe_link": None}
    one = MutedMail(**foot, undo_link=UNDO, is_answered=True, you="Di", tables=[MutedTable("Ann's table", LEAVE)])
    several = [MutedTable("Ann's table", LEAVE), MutedTable("Bo's table", LEAVE), MutedTable("Di's table", None)]
    nasty = replace(one, you=NASTY[0], tables=[MutedTable(f"{NASTY[1]}'s table", LEAVE)])
    return {
        "muted": ("muted", one),
        "muted-host": ("muted", replace(one, tables=[MutedTable("Di's table", None)])),
        "muted-all": ("muted", replace(one, tables=several, is_answered=False)),
        "muted-nasty": ("muted", nasty),
    }
