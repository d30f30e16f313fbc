"""A move to another address, as the owners of both addresses see it."""

from dataclasses import replace
from datetime import timedelta

from tests.samples.cast import NASTY, NOW
from tests.samples.rendering import PageSample
from webapp.pages.addresses import (
    YES_OR_NO,
    AddressTakenPage,
    NewAddress,
    OldAddress,
    OtherAddress,
    TakeBack,
)
from webapp.presentation.phrasing import timestamp

UNTIL = timestamp(NOW + timedelta(days=6), NOW, "Europe/Berlin")
MASKED = "d***@example.com"


def pages() -> dict[str, PageSample]:
    return {**_new_address(), **_old_address(), **_take_back(), **_other_address()}


def _new_address() -> dict[str, PageSample]:
    asks = NewAddress(name="Di", step="asks", address="di@example.com", until=UNTIL, is_agreed=False)
    return {
        **{f"new-address-{step}": replace(asks, step=step) for step in ("asks", "waits", "done", "stopped")},
        "new-address-agreed": replace(asks, is_agreed=True),
        "address-taken": AddressTakenPage(address="di@example.com"),
    }


def _old_address() -> dict[str, PageSample]:
    asks = OldAddress(
        name="Di",
        step="asks",
        address="di@example.org",
        masked=MASKED,
        until=UNTIL,
        take_back_link="/take-back/x",
        says_no=False,
    )
    nasty = f"x***@{'long.' * 30}example.com"
    return {
        **{
            f"old-address-{step}": replace(asks, step=step) for step in ("asks", "agreed", "refused", "done", "stopped")
        },
        "old-address-no": replace(asks, name=NASTY[0], masked=nasty, says_no=True),
        "old-address-wrong": replace(asks, error=YES_OR_NO),
    }


def _take_back() -> dict[str, PageSample]:
    return {
        f"take-back-{step}": TakeBack(name="Di", step=step, address="di@example.org", masked=MASKED)
        for step in ("asks", "done", "stopped")
    }


def _other_address() -> dict[str, PageSample]:
    asks = OtherAddress(name="Di", step="asks", address="di@example.com", own_address="di@example.org")
    nasty = f"{'x' * 60}@{'long.' * 30}example.com"
    return {
        **{f"other-address-{step}": replace(asks, step=step) for step in ("asks", "counts", "stopped")},
        "other-address-wrong": replace(asks, name=NASTY[0], address=nasty, error=YES_OR_NO),
    }
