"""Tables with open seats, and the way to one of them."""

from dataclasses import replace

from tests.samples.cast import CAST, NASTY
from tests.samples.pages.choices import ZONES
from tests.samples.rendering import Sample
from tests.samples.tables import open_table
from webapp.forms.fields import Form
from webapp.pages.limits import ADDRESS


def pages() -> dict[str, Sample]:
    ann, nasty = open_table(CAST, "Ann"), open_table(NASTY, NASTY[2].split()[0])
    live = replace(ann, is_live=True)
    stranger = {"form": Form({}), "is_known": False, "time_zones": ZONES, "table": ann}
    known = {"is_known": True, "form": Form({"name": NASTY[2]})}
    wrong = Form({"name": "", "address": "eve"}, {"name": "Enter a name.", "address": "This is not an address."})
    refused = {
        "form": Form({"name": "Eve", "address": "eve@example.org"}),
        "refusal": f"{ADDRESS.sentence} Please try again in 42 minutes.",
    }
    sent = {"address": "eve@example.org", "table_name": "Ann's table", "mailbox": False}
    return {
        "lobby": ("lobby", {"tables": [live, nasty, ann]}),
        "lobby-none": ("lobby", {"tables": []}),
        "join": ("join", stranger),
        "join-live": ("join", {**stranger, "table": live}),
        "join-wrong": ("join", {**stranger, "table": nasty, "form": wrong}),
        "join-too-much-mail": ("join", {**stranger, **refused}),
        "join-known": ("join", {**stranger, **known}),
        "join-sent": ("join_sent", sent),
        "join-gone": ("join_gone", {"why": "full", "is_by_link": False}),
    }
