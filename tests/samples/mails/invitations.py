"""Opening a table: the host's confirmation, invitations and their answers, and a stranger who asks for an open seat."""

from dataclasses import replace
from typing import Any

from tests.samples.cast import CAST, NASTY
from tests.samples.games import CLASSIC
from tests.samples.links import FOOT, LINK, RULES_LINK
from tests.samples.mails.frames import TO_DI, TO_NASTY
from tests.samples.rendering import Sample
from tests.samples.tables import WEEK, WORDS, open_table, summary
from webapp.forms.fields import BANKS
from webapp.presentation.bank_text import bank_sentence

INVITED = {**TO_DI, "table": summary(CLASSIC, states=("host", "invited", "invited", "robot"))}
INVITING: dict[str, Any] = {
    "host_name": "Ann",
    "link": LINK,
    "is_reminder": False,
    "who_again": None,
    "is_played": False,
    "stand_in_for": None,
    "company": "You play with Ann, Cy and Pip (robot).",
}
OFFERED = {**TO_DI, **INVITING, "is_played": True, "you": "Cy", "table_link": None}  # a seat in a game that is played


def mails() -> dict[str, Sample]:
    return {**_confirmations(), **_invitations(), **_declined(), **_joining()}


def _confirmations() -> dict[str, Sample]:
    banked = replace(INVITED["table"], bank=bank_sentence(BANKS["usual"]))
    return {
        "confirm": ("confirm", {**INVITED, "link": LINK}),
        "confirm-bank": ("confirm", {**INVITED, "table": banked, "link": LINK}),
        "confirm-open": ("confirm", {**TO_DI, "table": open_table(CAST, "Ann").summary, "link": LINK}),
    }


def _invitations() -> dict[str, Sample]:
    inviting = {**INVITED, **INVITING}
    nasty = {**TO_NASTY, "table": replace(TO_NASTY["table"], words=NASTY[2])}
    return {
        "invitation": ("invitation", {**inviting, "table": replace(INVITED["table"], words=WORDS, how_long=WEEK)}),
        "invitation-without-words": ("invitation", inviting),
        "invitation-reminder": ("invitation", {**inviting, "is_reminder": True}),
        "invitation-again": ("invitation", {**inviting, "who_again": "Ann and Cy want to play again"}),
        "invitation-nasty": ("invitation", {**nasty, **INVITING, "host_name": NASTY[0]}),
        "invitation-offer": ("invitation", OFFERED),
        "invitation-offer-reminder": ("invitation", {**OFFERED, "is_reminder": True}),
    }


def _declined() -> dict[str, Sample]:
    by_bo = {**INVITED, "who": "Bo", "may_fill_seat": True, "is_played": False, "is_stand_in": False}
    return {
        "declined": ("declined", by_bo),
        "declined-offer": ("declined", {**by_bo, "is_played": True}),
        "declined-by-host": ("declined", {**by_bo, "who": "Ann", "may_fill_seat": False}),
    }


def _joining() -> dict[str, Sample]:
    return {
        "join": ("join", _join("Ann")),
        "join-link": ("join", {**_join("Ann"), "is_by_link": True}),
        "join-nasty": ("join", {**_join(NASTY[0]), "you": NASTY[0]}),
    }


def _join(host_name: str) -> dict[str, Any]:
    """To somebody who asked for an open seat. We know only what they typed."""
    table = open_table((host_name, *CAST[1:]), host_name)
    words = {"you": "Eve", "host_name": host_name, "table": table.summary, "rules_link": RULES_LINK, "link": LINK}
    words["is_by_link"] = False
    return {**words, **FOOT, "unsubscribe_link": None}
