"""The preferences page in all states, and the pages of one click in an email that stops some of them."""

from dataclasses import replace
from typing import Any

from tests.samples.links import TABLE_LINK
from tests.samples.pages.addresses import UNTIL
from tests.samples.pages.choices import ZONES
from tests.samples.rendering import Sample
from webapp.accounts.devices import DeviceLine, DeviceSheet, kind_of
from webapp.forms.preferences import FREQUENCIES, HOURS, WEEK, Preferences, preferences_form
from webapp.games.clock import Quiet
from webapp.models import Frequency
from webapp.pages.preferences import AddressChangeLine, TableLine
from webapp.players.card_style import USUAL, CardStyleChoice
from webapp.players.preferences import Stopped

WRONG_ADDRESS = "This is not an email address that we can write to."
PREFERENCES = Preferences("Europe/Berlin", Frequency.EVERY, 8, Quiet(22, 7), reminders=True, invitations=True)
NO_DEVICES = DeviceSheet("BKey", (), push_only=False)
FRAME: dict[str, Any] = {
    "name": "Di",
    "form": preferences_form(PREFERENCES),
    "frequencies": FREQUENCIES,
    "hours": HOURS,
    "week": WEEK,
    "time_zones": ZONES,
    "action": "/preferences/x",
    "done": None,
    "error": None,
    "tables": [],
    "wait": None,
    "card_style_choice": CardStyleChoice("/preferences/x/cards", USUAL),
    "devices": NO_DEVICES,
    "current_address": "di@example.org",
    "counting": [],
    "address": "",
    "address_error": None,
    "move": None,
    "is_fresh": False,
    "is_unreachable": False,
    "silent_for": "7 days",
}


def pages() -> dict[str, Sample]:
    return {**_tables(), **_devices(), **_address(), **_unsubscribing()}


def _tables() -> dict[str, Sample]:
    names = ("Ann's table", "Bo's table", "Cy's table")
    tables = [TableLine(number, name, TABLE_LINK, mails=number != 2) for number, name in enumerate(names, 1)]
    form = preferences_form(PREFERENCES)
    form.errors["quiet_to"] = "Quiet hours are from 1 to 16 hours long."
    wrong = {"form": form, "error": "You do not sit at that table any more."}
    wrong |= {"address": "di", "address_error": WRONG_ADDRESS}
    saved = {"done": "Saved.", "wait": "When a choice hardly matters, we wait 4 hours for you."}
    return {
        "preferences": ("preferences", {**FRAME, "tables": tables, **saved}),
        "preferences-none": ("preferences", {**FRAME, "devices": None}),
        "preferences-wrong": ("preferences", {**FRAME, "tables": tables[:1], **wrong}),
        "preferences-unreachable": ("preferences", {**FRAME, "tables": tables, "is_unreachable": True}),
    }


def _devices() -> dict[str, Sample]:
    hosts = ("fcm.googleapis.com", "web.push.apple.com", "x.push.services.mozilla.com")
    lines = tuple(
        DeviceLine(number, kind_of(f"https://{host}/x"), "Mon 2 March", number != 2, str(number))
        for number, host in enumerate(hosts, 1)
    )
    return {
        "preferences-device": ("preferences", {**FRAME, "devices": DeviceSheet("BKey", lines[:1], push_only=True)}),
        "preferences-devices": ("preferences", {**FRAME, "devices": DeviceSheet("BKey", lines, push_only=False)}),
    }


def _address() -> dict[str, Sample]:
    """A move to another address."""
    frame = {**FRAME, "devices": None}
    move = AddressChangeLine("di@example.com", is_proved=False, is_agreed=False, until=UNTIL)
    return {
        "preferences-moving": ("preferences", {**frame, "move": move}),
        "preferences-moving-proved": (
            "preferences",
            {**frame, "move": replace(move, is_proved=True), "is_fresh": True},
        ),
        "preferences-counting": ("preferences", {**frame, "counting": ["di@example.com", "di@work.example"]}),
    }


def _unsubscribing() -> dict[str, Sample]:
    frame = {"action": "/unsubscribe/x", "table_name": "Ann's table", "wants": PREFERENCES}
    return {
        f"unsubscribe-{stops}-{step}": ("unsubscribe", {**frame, "stops": stops.value, "step": step})
        for stops in Stopped
        for step in ("ask", "stopped", "back", "daily", "quiet")
    }
