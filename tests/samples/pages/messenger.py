"""The pages of the link that a host sends by messenger, as its guests and the host see them."""

from dataclasses import replace

from tests.samples.cast import NASTY
from tests.samples.pages.table import gathering
from tests.samples.rendering import PageSample
from tests.samples.tables import WORDS, linked_table
from webapp.core.say import say
from webapp.forms.fields import Form
from webapp.pages.guest_list import GuestList
from webapp.pages.limits import ADDRESS
from webapp.pages.lobby import ComePage, JoinGone
from webapp.tables.lobby import Closed

URL = "https://hearts.example/come/WzEsNywxXQ.aZxY81.c5Vb4nM3qW2eR1tY0u"
GUESTS = GuestList(
    url=URL,
    title="A seat at Ann's table",
    number=1,
    came=(),
    may_deal=False,
    action="/seat/x/guests",
)


def pages() -> dict[str, PageSample]:
    return {**_opened(), **_closed(), **_hosts()}


def _opened() -> dict[str, PageSample]:
    come = ComePage(table=linked_table(words=WORDS), form=Form({}))
    wrong = Form({"name": "", "address": "eve"}, {"name": "Enter a name.", "address": "This is not an address."})
    typed = Form({"name": "Eve", "address": "eve@example.org"})
    return {
        "come": come,
        "come-wrong": replace(come, table=linked_table(NASTY, NASTY[2]), form=wrong),
        "come-too-much-mail": replace(come, form=typed, refusal=f"{say(ADDRESS.sentence)} Please try again."),
    }


def _closed() -> dict[str, PageSample]:
    return {f"come-{why}": JoinGone(why=why.value, is_by_link=True) for why in Closed}


def _hosts() -> dict[str, PageSample]:
    some = replace(GUESTS, came=((1, "Bo"), (2, NASTY[1])))
    all_here = replace(some, url=None, may_deal=True)
    return {
        "table-guests": replace(gathering(), guests=some),
        "table-guests-deal": replace(gathering(), guests=all_here, host=None, play_now=None),
    }
