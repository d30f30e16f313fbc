"""The preferences page in all states, and the pages of one click in an email that stops some of them."""

from dataclasses import replace
from typing import Any

from tests.samples.cast import NOW
from tests.samples.links import TABLE_LINK
from tests.samples.pages.addresses import UNTIL
from tests.samples.pages.choices import ZONES
from tests.samples.rendering import Sample
from webapp.accounts.devices import DeviceLine, DeviceSheet, kind_of
from webapp.forms.holidays import holiday_sheet, read_holiday_form
from webapp.forms.preferences import FREQUENCIES, HOURS, WEEK, Preferences, preferences_form
from webapp.games.clock import Quiet
from webapp.models import Frequency, PlayerRow
from webapp.pages.preferences import AddressChangeLine, TableLine
from webapp.players.card_style import USUAL, CardStyleChoice
from webapp.players.preferences import Stopped
from webapp.presentation.vacation_text import VacationSheet, left_sentence

WRONG_ADDRESS = "This is not an email address that we can write to."
PREFERENCES = Preferences("Europe/Berlin", Frequency.EVERY, 8, Quiet(22, 7), reminders=True, invitations=True)
NO_DEVICES = DeviceSheet("BKey", (), push_only=False)


def _player(*, holidays: list[list[str]] | None = None) -> PlayerRow:
    name = {"address": "di@example.org", "name": "Di"}
    return PlayerRow(**name, time_zone="Europe/Berlin", created_at=NOW, holidays=holidays or [])


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
    "holidays": holiday_sheet(_player(), NOW),
    "wait": None,
    "card_style_choice": CardStyleChoice("/preferences/x/cards", USUAL),
    "devices": NO_DEVICES,
    "current_address": "di@example.org",
    "address": "",
    "address_error": None,
    "move": None,
    "is_fresh": False,
    "is_unreachable": False,
    "silent_for": "7 days",
}


def pages() -> dict[str, Sample]:
    return {**_tables(), **_stand_ins(), **_holidays(), **_devices(), **_address(), **_unsubscribing()}


def _tables() -> dict[str, Sample]:
    going = VacationSheet(left_sentence(1), "Wed 4 March", [("1", "1 day, to Thu 5 March")])
    tables = [
        TableLine(1, "Table 7F3K", TABLE_LINK, is_away=False, mails=True, vacation=going),
        TableLine(2, "Table Q2ZZ", TABLE_LINK, is_away=True, mails=False),
        TableLine(3, "Table M4RX", TABLE_LINK, is_away=False, mails=True, vacation=_staying()),
    ]
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


def _staying() -> VacationSheet:
    days = [("1", "1 day, to Mon 2 March"), ("2", "2 days, to Tue 3 March"), ("3", "3 days, to Wed 4 March")]
    return VacationSheet(left_sentence(3), None, days)


def _stand_ins() -> dict[str, Sample]:
    tables = [
        TableLine(3, "Table A9BC", TABLE_LINK, is_away=False, mails=True, may_ask=True, vacation=_staying()),
        TableLine(4, "Table L3NT", TABLE_LINK, is_away=False, mails=True, stand_in="Eve"),
        TableLine(5, "Table 5WXY", TABLE_LINK, is_away=True, mails=True, asked="Eve", may_ask=True),
        TableLine(6, "Table PPR4", TABLE_LINK, is_away=False, mails=True, owner="Cy"),
    ]
    typed = {"table": "3", "name": "Eve", "address": "eve at home"}
    return {
        "preferences-stand-in": ("preferences", {**FRAME, "tables": tables, "done": "Saved."}),
        "preferences-stand-in-wrong": (
            "preferences",
            {**FRAME, "tables": tables, "typed": typed, "error": WRONG_ADDRESS},
        ),
    }


def _holidays() -> dict[str, Sample]:
    player = _player(holidays=[["2026-03-04", "2026-03-04"], ["2026-12-24", "2027-01-06"]])
    refused = read_holiday_form({"holiday_first": "2026-04-01", "holiday_last": "2026-03-30"})
    refused.errors["holiday_first"] = "The last day off comes before the first one."
    return {
        "preferences-holidays": ("preferences", {**FRAME, "holidays": holiday_sheet(player, NOW)}),
        "preferences-holidays-wrong": ("preferences", {**FRAME, "holidays": holiday_sheet(player, NOW, refused)}),
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
    }


def _unsubscribing() -> dict[str, Sample]:
    frame = {"action": "/unsubscribe/x", "table_name": "Table 7F3K", "wants": PREFERENCES}
    return {
        f"unsubscribe-{stops}-{step}": ("unsubscribe", {**frame, "stops": stops.value, "step": step})
        for stops in Stopped
        for step in ("ask", "stopped", "back", "daily", "quiet")
    }
