"""The mail that this browser has just asked for. Its link, opened in the same browser, needs no further tap.

Mail scanners open links, too, but they have no cookie of ours. Nor has a person who got the mail because a stranger
typed their address. To both, the page shows a button.
"""

import hmac
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from flask import session as cookie

from webapp.pages.common import runtime

ASKED = "asked_here"  # key in the session cookie
RETURNS = "returns"  # the same: whether its player asked on the page "Away", and returns there
CODE_WAITS: Final = timedelta(minutes=30)  # a mail may take some of them
CODE_FOR = "code_for"  # the same: the browser's secret name, for which a code was mailed, the address, and the time


def note_asked(what: str, *, returns: bool = False) -> None:
    """Notes what the browser has just asked for: to confirm a table, a seat, or to sign in. It forgets what it asked
    before.
    """
    cookie[ASKED], cookie[RETURNS] = what, returns
    cookie.pop(CODE_FOR, None)


def note_code(browser: str, address: str, now: datetime) -> None:
    """Notes that a code was mailed to the address for the browser of that name."""
    cookie[CODE_FOR] = [browser, address, int(now.timestamp())]
    cookie.permanent = True  # a phone ends the program of the home screen while its owner reads their mail


def code_for(now: datetime) -> tuple[str, str] | None:
    """The browser's secret name and the address to which a code for it was mailed, within CODE_WAITS; None if none."""
    browser, address, at = cookie.get(CODE_FOR, ("", "", 0))
    return (browser, address) if now.timestamp() - at < CODE_WAITS.total_seconds() else None


def is_asked(what: str) -> bool:
    return cookie.get(ASKED) == what


def table(table_id: int) -> str:
    """The mail by which the host of that table confirms it."""
    return f"table {table_id}"


def seat(table_id: int, address: str) -> str:
    """The mail to that address by which a guest takes a seat at the table."""
    return f"seat {table_id} {_secret(address)}"


def sign_in(address: str) -> str:
    """The mail with a sign-in link to that address, which this does not reveal: the link of a forwarded mail asks, too,
    and anybody can read what their own cookie says.
    """
    return f"sign-in {_secret(address)}"


def _secret(address: str) -> str:
    return hmac.digest(runtime().keys[0].encode(), f"asked here {address}".encode(), sha256)[:16].hex()
