"""A player's own affairs: signing in, being forgotten, and a move to another address."""

from datetime import timedelta
from typing import Any

from tests.samples.cast import NASTY, NOW
from tests.samples.links import ADDRESS_LINK, FOOT, LINK
from tests.samples.rendering import Sample
from webapp.presentation.timestamps import timestamp
from worker.mails.gone_away import LeftTable

# To the new address, and to the old one.
MOVE: dict[str, Any] = {
    "you": "Di",
    "link": ADDRESS_LINK,
    "new_address": "di@example.com",
    "masked": "d***@example.com",
    "until": timestamp(NOW + timedelta(days=7), NOW, "Europe/Berlin"),
    "is_agreed": False,
    "is_reminder": False,
    "proved_within": "2 days",
    "undone_within": "14 days",
}
NASTY_ADDRESS = {"you": NASTY[0], "new_address": f"{'x' * 60}@{'long.' * 30}example.com"}
AWAY: dict[str, Any] = {
    **FOOT,
    "unsubscribe_link": None,
    "you": "Di",
    "tables": [LeftTable("Ann's table", "A robot plays for you until the end of Sunday.")],
    "back_link": f"{FOOT['preferences_link']}/away",
    "devices_link": LINK,
}
WAITING = [LeftTable("Bo's table", "The table waits for you until the end of Saturday.")]


def mails() -> dict[str, Sample]:
    return {
        "sign-in": ("sign_in", {"you": "Di", "link": LINK}),
        "device-added": ("device_added", {"you": "Di", "device": "Firefox", "asks": False, "link": LINK}),
        "device-asks": ("device_added", {"you": "Di", "device": "Safari", "asks": True, "link": LINK}),
        "gone-away": ("gone_away", AWAY),
        "gone-away-several": ("gone_away", {**AWAY, "tables": [*AWAY["tables"], *WAITING]}),
        "forget": ("forget", {"you": "Di", "link": LINK, "within": "24 hours"}),
        "new-address": ("new_address", MOVE),
        "new-address-agreed": ("new_address", {**MOVE, "is_agreed": True}),
        "address-asked": ("address_asked", MOVE),
        "address-asked-reminder": ("address_asked", {**MOVE, "is_reminder": True}),
        "address-changed": ("address_changed", MOVE),
        "answered-from": ("answered_from", {**MOVE, **FOOT, "unsubscribe_link": None}),
        "answered-from-nasty": ("answered_from", {**MOVE, **FOOT, **NASTY_ADDRESS, "unsubscribe_link": None}),
        "address-moved": ("address_moved", {**MOVE, **FOOT, "unsubscribe_link": None}),
    }
