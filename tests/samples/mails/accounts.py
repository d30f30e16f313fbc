"""A player's own affairs: signing in, being forgotten, and a move to another address."""

from dataclasses import replace
from datetime import timedelta

from tests.samples.cast import NASTY, NOW
from tests.samples.links import ADDRESS_LINK, FOOT, LINK
from tests.samples.rendering import MailSample
from webapp.presentation.phrasing import timestamp
from worker.mails.accounts import AddressMail, DeviceMail, ForgetMail, GoneAwayMail, LeftTable, SignInMail

NO_STOP = {**FOOT, "unsubscribe_link": None}
# To the new address, and to the old one.
MOVE = AddressMail(
    you="Di",
    link=ADDRESS_LINK,
    new_address="di@example.com",
    masked="d***@example.com",
    until=timestamp(NOW + timedelta(days=7), NOW, "Europe/Berlin"),
    is_agreed=False,
    is_reminder=False,
    proved_within="2 days",
    undone_within="14 days",
)
AWAY = GoneAwayMail(
    **NO_STOP,
    you="Di",
    tables=[LeftTable("Ann's table", "A robot plays for you until the end of Sunday.")],
    back_link=f"{FOOT['preferences_link']}/away",
    devices_link=LINK,
)
WAITING = [LeftTable("Bo's table", "The table waits for you until the end of Saturday.")]


def mails() -> dict[str, MailSample]:
    moved = replace(MOVE, **NO_STOP)
    nasty = replace(moved, you=NASTY[0], new_address=f"{'x' * 60}@{'long.' * 30}example.com")
    return {
        "sign-in": ("sign_in", SignInMail(you="Di", link=LINK)),
        "sign-in-code": ("sign_in", SignInMail(you="Di", link=LINK, code="047113")),
        "device-added": ("device_added", DeviceMail(you="Di", device="Firefox", asks=False, link=LINK)),
        "device-asks": ("device_added", DeviceMail(you="Di", device="Safari", asks=True, link=LINK)),
        "gone-away": ("gone_away", AWAY),
        "gone-away-several": ("gone_away", replace(AWAY, tables=[*AWAY.tables, *WAITING])),
        "forget": ("forget", ForgetMail(you="Di", link=LINK, within="24 hours")),
        "new-address": ("new_address", MOVE),
        "new-address-agreed": ("new_address", replace(MOVE, is_agreed=True)),
        "address-asked": ("address_asked", MOVE),
        "address-asked-reminder": ("address_asked", replace(MOVE, is_reminder=True)),
        "address-changed": ("address_changed", MOVE),
        "answered-from": ("answered_from", moved),
        "answered-from-nasty": ("answered_from", nasty),
        "address-moved": ("address_moved", moved),
    }
