"""Reads what our own mail server says about the sender of a mail: genuine, forged, or nothing.

Servers write it at the top of the header, under a name of theirs; the sender may have forged all below. Sources: RFC
8601 for the field, RFC 7489 for when a verdict is about the address in From.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from itertools import takewhile
from typing import Final

from webapp.core.addresses import domain_in_ascii
from webapp.core.credentials import UNNAMED
from webapp.replies.received import Mail, addresses, fields, uncommented

FIELD: Final = "Authentication-Results"
_METHOD: Final = re.compile(r"\s*([\w-]+)\s*=\s*([\w-]+)(?:\s|$)")
_ABOUT: Final = {
    "dmarc": re.compile(r"\bheader\.from\s*=\s*(\S+)", re.IGNORECASE),
    "dkim": re.compile(r"\bheader\.[di]\s*=\s*(\S+)", re.IGNORECASE),
    "spf": re.compile(r"\bsmtp\.mail(?:from)?\s*=\s*(\S+)", re.IGNORECASE),
}
"""The methods that say something about the sender, and the property that says about whom."""


class Verdict(StrEnum):
    """The verdict of our own mail server on the address in From."""

    GENUINE = "genuine"
    FORGED = "forged"
    NONE = "none"


def verdict_on(mail: Mail, own_host: str | None) -> Verdict:
    """The verdict of the servers that sign as `own_host`; a name that begins with `*.` stands for all below a domain.

    Each of the topmost fields of that name may say that DMARC failed, as several programs of a server add one each.
    Only the first that says anything about the sender makes it genuine: below it may stand a forged one, which not
    every server takes away.
    """
    if not own_host:
        return Verdict.NONE
    values = [uncommented(value) for value in fields(mail, FIELD)]
    own = list(takewhile(lambda value: is_own(_name(value.partition(";")[0]) or UNNAMED, own_host), values))
    if own_host == UNNAMED:  # whose fields no name tells from forged ones below
        own = own[:1]
    said = [list(_methods(value, own_host)) for value in own]
    if any(method == "dmarc" and result == "fail" for found in said for method, result, _ in found):
        return Verdict.FORGED
    for found in said:
        about = [one for one in found if one[0] in _ABOUT]
        if about or not found:
            return Verdict.GENUINE if any(_is_about(mail, *one) for one in about) else Verdict.NONE
    return Verdict.NONE


def signed_by(mail: Mail) -> str | None:
    """The name under which the topmost verdict on the sender is signed; UNNAMED if it has none, None without any."""
    for value in map(uncommented, fields(mail, FIELD)):
        name = _name(value.partition(";")[0]) or UNNAMED
        if any(method in _ABOUT for method, *_ in _methods(value, name)):
            return name
    return None


def is_own(name: str, own_host: str) -> bool:
    """Whether servers that sign as `name` are those that `own_host` stands for.

    >>> is_own("mx1.example.org", "*.example.org"), is_own("mx1.example.org", "example.org")
    (True, False)
    """
    own = own_host.lower()
    return name.endswith(own[1:]) if own.startswith("*.") else name == own


def _name(text: str) -> str:
    """The name of the server that has signed a field: `mx.example.org 1` and `mx.example.org/4C1D` are this server.

    Empty if the field begins with a verdict.
    """
    return "" if _METHOD.match(text) else next(iter(text.split()), "").partition("/")[0].lower()


def _methods(value: str, own_host: str) -> Iterator[tuple[str, str, str]]:
    """Each method of a field with its result and the text of its properties."""
    for part in value.split(";")[own_host != UNNAMED :]:
        if found := _METHOD.match(f"{part} "):
            yield found[1].lower(), found[2].lower(), part[found.end() - 1 :]


def _is_about(mail: Mail, method: str, result: str, properties: str) -> bool:
    """Whether the method has passed for the domain in From, or for one above it."""
    if result != "pass":
        return False
    (sender,) = addresses(fields(mail, "From")[0])
    own = domain_in_ascii(sender)
    named = [one.strip("<>\"'").rpartition("@")[2].lower() for one in _ABOUT[method].findall(properties)]
    if not named:
        return method == "dmarc"  # which is always about From
    return any(own == one or own.endswith(f".{one}") for one in named if "." in one)
