"""The last mail to a player who has muted a table where they play, or all of them."""

from tests.samples.cast import NASTY
from tests.samples.links import FOOT, TABLE_LINK
from tests.samples.rendering import Sample
from worker.mails.muted import MutedTable

UNDO = FOOT["unsubscribe_link"]
LEAVE = TABLE_LINK.replace("/seat/", "/leave/")


def mails() -> dict[str, Sample]:
    foot = {**FOOT, "unsubscribe_link": None, "undo_link": UNDO, "is_answered": True}
    one = {**foot, "you": "Di", "tables": [MutedTable("Ann's table", LEAVE)]}
    several = [MutedTable("Ann's table", LEAVE), MutedTable("Bo's table", LEAVE), MutedTable("Di's table", None)]
    return {
        "muted": ("muted", one),
        "muted-host": ("muted", {**one, "tables": [MutedTable("Di's table", None)]}),
        "muted-all": ("muted", {**one, "tables": several, "is_answered": False}),
        "muted-nasty": ("muted", {**one, "you": NASTY[0], "tables": [MutedTable(f"{NASTY[1]}'s table", LEAVE)]}),
    }
