"""The preferences page in all states, and the pages of one click in an email that stops some of them."""

from dataclasses import replace

from tests.samples.links import TABLE_LINK
from tests.samples.pages.addresses import UNTIL
from tests.samples.rendering import PageSample
from webapp.accounts.devices import DeviceLine, DeviceSheet, kind_of
from webapp.forms.preferences import Preferences, preferences_form
from webapp.games.clock.hours import Quiet
from webapp.models import Frequency
from webapp.pages.preferences import AddressChangeLine, PreferencesPage, TableLine, UnsubscribePage
from webapp.players.preferences import USUAL, CardStyleChoice, Stopped

WRONG_ADDRESS = "This is not an email address that we can write to."
PREFERENCES = Preferences("Europe/Berlin", Frequency.EVERY, 8, Quiet(22, 7), invitations=True)
DIS = PreferencesPage(
    form=preferences_form(PREFERENCES),
    tables=[],
    devices=DeviceSheet("BKey", (), push_only=False),
    action="/preferences/x",
    current_address="di@example.org",
    counting=[],
    move=None,
    is_fresh=False,
    silent_for="7 days",
    is_unreachable=False,
    card_style_choice=CardStyleChoice("/preferences/x/cards", USUAL),
)


def pages() -> dict[str, PageSample]:
    return {**_tables(), **_devices(), **_address(), **_unsubscribing()}


def _tables() -> dict[str, PageSample]:
    names = ("Ann's table", "Bo's table", "Cy's table")
    tables = [TableLine(number, name, TABLE_LINK, mails=number != 2) for number, name in enumerate(names, 1)]
    form = preferences_form(PREFERENCES)
    form.errors["quiet_to"] = "Quiet hours are from 1 to 16 hours long."
    wrong = replace(
        DIS,
        tables=tables[:1],
        form=form,
        error="You do not sit at that table any more.",
        address="di",
        address_error=WRONG_ADDRESS,
    )
    return {
        "preferences": replace(DIS, tables=tables, done="Saved."),
        "preferences-none": replace(DIS, devices=None),
        "preferences-wrong": wrong,
        "preferences-unreachable": replace(DIS, tables=tables, is_unreachable=True),
    }


def _devices() -> dict[str, PageSample]:
    hosts = ("fcm.googleapis.com", "web.push.apple.com", "x.push.services.mozilla.com")
    lines = tuple(
        DeviceLine(number, kind_of(f"https://{host}/x"), "Mon 2 March", number != 2, str(number))
        for number, host in enumerate(hosts, 1)
    )
    return {
        "preferences-device": replace(DIS, devices=DeviceSheet("BKey", lines[:1], push_only=True)),
        "preferences-devices": replace(DIS, devices=DeviceSheet("BKey", lines, push_only=False)),
    }


def _address() -> dict[str, PageSample]:
    """A move to another address."""
    move = AddressChangeLine("di@example.com", is_proved=False, is_agreed=False, until=UNTIL)
    moving = replace(DIS, devices=None, move=move)
    return {
        "preferences-moving": moving,
        "preferences-moving-proved": replace(moving, move=replace(move, is_proved=True), is_fresh=True),
        "preferences-counting": replace(DIS, devices=None, counting=["di@example.com", "di@work.example"]),
    }


def _unsubscribing() -> dict[str, PageSample]:
    page = UnsubscribePage(stops="", step="", table_name="Ann's table", action="/unsubscribe/x")
    return {
        f"unsubscribe-{stops}-{step}": replace(page, stops=stops.value, step=step)
        for stops in Stopped
        for step in ("ask", "stopped", "back")
    }
