"""A move to another address, as the owners of both addresses see it."""

from datetime import timedelta
from typing import Any

from tests.samples.cast import NASTY, NOW
from tests.samples.rendering import Sample
from webapp.presentation.timestamps import timestamp

UNTIL = timestamp(NOW + timedelta(days=6), NOW, "Europe/Berlin")
NEW: dict[str, Any] = {"name": "Di", "address": "di@example.com", "until": UNTIL, "is_agreed": False}
OLD: dict[str, Any] = {
    **NEW,
    "address": "di@example.org",
    "masked": "d***@example.com",
    "error": None,
    "says_no": False,
    "take_back_link": "/take-back/x",
}


def pages() -> dict[str, Sample]:
    return {**_new_address(), **_old_address(), **_take_back(), **_other_address()}


def _new_address() -> dict[str, Sample]:
    made: dict[str, Sample] = {
        f"new-address-{step}": ("new_address", {**NEW, "step": step}) for step in ("asks", "waits", "done", "stopped")
    }
    made["new-address-agreed"] = ("new_address", {**NEW, "step": "asks", "is_agreed": True})
    made["address-taken"] = ("address_taken", {"address": "di@example.com"})
    return made


def _old_address() -> dict[str, Sample]:
    made: dict[str, Sample] = {
        f"old-address-{step}": ("old_address", {**OLD, "step": step})
        for step in ("asks", "agreed", "refused", "done", "stopped")
    }
    nasty = {"name": NASTY[0], "masked": f"x***@{'long.' * 30}example.com"}
    made["old-address-no"] = ("old_address", {**OLD, **nasty, "step": "asks", "says_no": True})
    made["old-address-wrong"] = ("old_address", {**OLD, "step": "asks", "error": "Please answer with yes or no."})
    return made


def _take_back() -> dict[str, Sample]:
    return {f"take-back-{step}": ("take_back", {**OLD, "step": step}) for step in ("asks", "done", "stopped")}


def _other_address() -> dict[str, Sample]:
    frame = {"name": "Di", "address": "di@example.com", "own_address": "di@example.org", "error": None}
    made: dict[str, Sample] = {
        f"other-address-{step}": ("other_address", {**frame, "step": step}) for step in ("asks", "counts", "stopped")
    }
    nasty = {"name": NASTY[0], "address": f"{'x' * 60}@{'long.' * 30}example.com"}
    made["other-address-wrong"] = (
        "other_address",
        {**frame, **nasty, "step": "asks", "error": "Please answer with yes or no."},
    )
    return made
