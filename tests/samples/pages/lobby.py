"""Tables with open seats, and the way to one of them."""

from dataclasses import replace

from tests.samples.cast import CAST, NASTY
from tests.samples.rendering import PageSample, framed
from tests.samples.tables import open_table
from webapp.core.say import say
from webapp.forms.fields import Form
from webapp.pages.common import CheckInbox
from webapp.pages.limits import ADDRESS
from webapp.pages.lobby import JoinGone, JoinPage, LobbyPage


def pages() -> dict[str, PageSample]:
    ann, nasty = open_table(CAST, "Ann"), open_table(NASTY, NASTY[2].split()[0])
    live = replace(ann, is_live=True)
    stranger = JoinPage(table=ann, form=Form({}))
    wrong = Form({"name": "", "address": "eve"}, {"name": "Enter a name.", "address": "This is not an address."})
    typed = Form({"name": "Eve", "address": "eve@example.org"})
    sent = CheckInbox(about="seat", address="eve@example.org", table_name="Ann's table")
    return {
        "lobby": LobbyPage(tables=[live, nasty, ann]),
        "lobby-none": LobbyPage(tables=[]),
        "join": stranger,
        "join-live": replace(stranger, table=live),
        "join-wrong": replace(stranger, table=nasty, form=wrong),
        "join-too-much-mail": replace(
            stranger, form=typed, refusal=f"{say(ADDRESS.sentence)} Please try again in 42 minutes."
        ),
        "join-known": replace(stranger, is_known=True, form=Form({"name": NASTY[2]})),
        "join-sent": framed(sent, mailbox=False),
        "join-gone": JoinGone(why="full", is_by_link=False),
    }
