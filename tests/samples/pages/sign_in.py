"""Signing in, and the list of sign-ins."""

from dataclasses import replace

from tests.samples.links import PREFERENCES_LINK
from tests.samples.rendering import PageSample, framed
from webapp.accounts.sign_ins import SignInLine
from webapp.core.say import say
from webapp.pages.addresses import DevicePage
from webapp.pages.common import CheckInbox
from webapp.pages.limits import NETWORK
from webapp.pages.players import WRONG_CODE, SignedInPage, SignedOut, SignIn, SignInConfirm, SignInUsed


def pages() -> dict[str, PageSample]:
    return {**_signing_in(), **_sign_ins(), **_device()}


def _signing_in() -> dict[str, PageSample]:
    wrong = SignIn(error="This is not an email address that we can write to.", address="ann")
    refused = SignIn(address="ann@example.org", refusal=f"{say(NETWORK[0].sentence)} Please try again in 1 hour.")
    return {
        "sign-in": SignIn(),
        "sign-in-error": wrong,
        "sign-in-too-much-mail": refused,
        "sign-in-ended": SignIn(has_ended=True),
        "sign-in-sent": framed(CheckInbox(about="sign_in", address="ann@example.org"), mailbox=False),
        "sign-in-wrong-code": framed(
            CheckInbox(about="sign_in", address="ann@example.org", error=WRONG_CODE), mailbox=False
        ),
        "sign-in-again": SignIn(code_to="ann@example.org"),
        "sign-in-used": SignInUsed(action="/sign-in/TOKEN"),
        "sign-in-used-sent": framed(CheckInbox(about="sign_in_again"), mailbox=False),
        "sign-in-confirm": SignInConfirm(goes_on=False),
    }


def _device() -> dict[str, PageSample]:
    return {
        "device-asks": DevicePage(step="asks"),
        "device-confirmed": DevicePage(step="done", device="Safari"),
        "device-forgotten": DevicePage(step="done"),
    }


def _sign_ins() -> dict[str, PageSample]:
    lines = [
        SignInLine(1, "Firefox on Android", "Mon 2 March", "Mon 2 March", is_this=True),
        SignInLine(2, "Samsung Internet on Android", "Tue 3 February", "Sun 1 March", is_this=False),
        SignInLine(3, "A browser", "Tue 3 February", "Tue 3 February", is_this=False),
    ]
    one = SignedInPage(lines=lines[:1], preferences_link=PREFERENCES_LINK)
    wrong = replace(one, lines=lines, error="Please use the buttons on this page.")
    ended = replace(one, lines=lines, done="That browser is signed out.")
    return {
        "signed-in": framed(one, player_name="Ann"),
        "signed-in-many": framed(ended, player_name="Ann"),
        "signed-in-wrong": framed(wrong, player_name="Ann"),
        "signed-out": SignedOut(),
    }
