"""The mail that this browser has just asked for. Its link, opened in the same browser, needs no further tap.

Mail scanners open links, too, but they have no cookie of ours. Nor has a person who got the mail because a stranger
typed their address. To both, the page shows a button.
"""

from flask import session as cookie

ASKED = "asked_here"  # key in the session cookie
RETURNS = "returns"  # the same: whether its player asked on the page "Away", and returns there


def note_asked(what: str, *, returns: bool = False) -> None:
    """Notes what the browser has just asked for: a table to confirm, or a sign-in. It forgets what it asked before."""
    cookie[ASKED], cookie[RETURNS] = what, returns


def is_asked(what: str) -> bool:
    return cookie.get(ASKED) == what


def table(table_id: int) -> str:
    """The mail by which the host of that table confirms it."""
    return f"table {table_id}"


def sign_in(address: str) -> str:
    """The mail with a sign-in link to that address."""
    return f"sign-in {address}"
