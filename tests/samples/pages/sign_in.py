"""Signing in, and the list of sign-ins."""

from typing import Any

from tests.samples.links import PREFERENCES_LINK
from tests.samples.rendering import Sample
from webapp.accounts.devices import DeviceLine, kind_of
from webapp.accounts.sign_ins import SignInLine
from webapp.pages.limits import NETWORK


def pages() -> dict[str, Sample]:
    return {**_signing_in(), **_sign_ins(), **_device()}


def _signing_in() -> dict[str, Sample]:
    blank: dict[str, Any] = {"error": None, "address": "", "has_ended": False}
    wrong = {"error": "This is not an email address that we can write to.", "address": "ann"}
    refused = {"address": "ann@example.org", "refusal": f"{NETWORK[0].sentence} Please try again in 1 hour."}
    return {
        "sign-in": ("sign_in", blank),
        "sign-in-error": ("sign_in", {**blank, **wrong}),
        "sign-in-too-much-mail": ("sign_in", {**blank, **refused}),
        "sign-in-ended": ("sign_in", {**blank, "has_ended": True}),
        "sign-in-sent": ("sign_in_sent", {"address": "ann@example.org", "mailbox": False}),
        "sign-in-used": ("sign_in_used", {"sent": False, "action": "/sign-in/TOKEN"}),
        "sign-in-used-sent": ("sign_in_used", {"sent": True, "action": "/sign-in/TOKEN", "mailbox": False}),
        "sign-in-confirm": ("sign_in_confirm", {"name": "Ann", "goes_on": False}),
    }


def _device() -> dict[str, Sample]:
    return {
        "device-asks": ("device", {"step": "asks", "device": None}),
        "device-confirmed": ("device", {"step": "done", "device": "Safari"}),
        "device-forgotten": ("device", {"step": "done", "device": None}),
    }


def _sign_ins() -> dict[str, Sample]:
    lines = [
        SignInLine(1, "Firefox on Android", "Mon 2 March", "Mon 2 March", is_this=True),
        SignInLine(2, "Samsung Internet on Android", "Tue 3 February", "Sun 1 March", is_this=False),
        SignInLine(3, "A browser", "Tue 3 February", "Tue 3 February", is_this=False),
    ]
    devices = (DeviceLine(1, kind_of("https://fcm.googleapis.com/x"), "Mon 2 March", True, "1"),)
    frame = {"player_name": "Ann", "preferences_link": PREFERENCES_LINK, "done": None, "error": None, "devices": ()}
    ended = {"devices": devices, "done": "That browser is signed out."}
    return {
        "signed-in": ("signed_in", {**frame, "lines": lines[:1]}),
        "signed-in-many": ("signed_in", {**frame, "lines": lines, **ended}),
        "signed-in-wrong": ("signed_in", {**frame, "lines": lines, "error": "Please use the buttons on this page."}),
        "signed-out": ("signed_out", {}),
    }
