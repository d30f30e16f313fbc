"""Invitations to a table, to a game that is being played, and to live play; and what we say to the answers."""

from dataclasses import replace
from typing import Any

from tests.samples.cast import NASTY
from tests.samples.games import CLASSIC
from tests.samples.links import TABLE_LINK
from tests.samples.pages.choices import ZONES
from tests.samples.rendering import Sample
from tests.samples.tables import WEEK, WORDS, live_summary, summary

INVITED = summary(CLASSIC, states=("host", "invited", "declined", "robot"))  # a table that waits for answers
FRIENDS = replace(INVITED, words=WORDS, how_long=WEEK)
# An invitation, but for its table.
ASKING: dict[str, Any] = {
    "host_name": "Ann",
    "your_name": "Bo",
    "invited_as": "Bo",
    "company": "You play with Ann, Cy and Pip (robot).",
    "time_zones": ZONES,
    "time_zone": "UTC",
    "error": None,
}
LINKED = "A name can't look like a web address, an email address or a phone number. Leave a space after a dot."


def pages() -> dict[str, Sample]:
    return {**_invitations(), **_answers()}


def _invitations() -> dict[str, Sample]:
    crowd = replace(summary(CLASSIC, NASTY), words=NASTY[2])
    nasty = {"table": crowd, "host_name": NASTY[0], "invited_as": NASTY[1], "company": crowd.company_of(1)}
    nasty |= {"error": "Enter a name.", "your_name": ""}
    offered = {"table": summary(CLASSIC), "your_name": "Eve", "is_played": True}
    return {
        "invitation": ("invitation", {**ASKING, "table": FRIENDS}),
        "invitation-without-words": ("invitation", {**ASKING, "table": INVITED}),
        "invitation-nasty": ("invitation", {**ASKING, **nasty}),
        "invitation-name": ("invitation", {**ASKING, "table": INVITED, "your_name": "bo.com", "name_error": LINKED}),
        "invitation-offer": ("invitation", {**ASKING, **offered}),
        "invitation-live": ("invitation", {**ASKING, "your_name": "Eve", "table": live_summary()}),
    }


def _answers() -> dict[str, Sample]:
    accepted = {"answer": "accept", "table": INVITED, "table_link": TABLE_LINK}
    taken = {"table": summary(CLASSIC), "play_link": "/play/x"}
    live = {"table": live_summary(), "enter_action": "/invitation/x"}
    return {
        "invitation-accepted": ("invitation_answered", accepted),
        "invitation-declined": ("invitation_answered", {"answer": "decline", "table": INVITED, "table_link": None}),
        "invitation-taken": ("invitation_answered", {**accepted, **taken}),
        "invitation-live-taken": ("invitation_answered", {**accepted, **live}),
    }
