"""Signed mail addresses, each naming one of our letters: for replies to it, and for delivery reports about it.

Only the signature authenticates a reply: threading headers and From lines open nothing. The encoding is lower-case
base32, because mail servers may change the case of a local part; the signature has 80 bits; the local part has 26 of
the 64 characters allowed (RFC 5321). `inbox` looks the letter up and decides whether it is too old to be answered or
to bounce.
"""

import base64
import hashlib
import hmac
import re
from collections.abc import Hashable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Final, TypeVar

from email_validator import EmailNotValidError, validate_email

from webapp.core.tokens import Eras, era_of, no_restorations

KEY_BYTES = 5
TAG_BYTES = 10
LENGTH = 2 + (KEY_BYTES + TAG_BYTES) * 8 // 5  # of a local part, without what is before it
MOST_TRIED = 50  # addresses in a text


class Purpose(StrEnum):
    """The purpose of mail to the address, which is the address's first letter."""

    REPLY = "r"
    BOUNCE = "b"  # the envelope's sender, to which delivery reports go (VERP)
    UNSUBSCRIBE = "u"
    QUOTED = "q"  # of a report in a mailbox that only quotes the letter's Message-ID; we give this address to nobody


ROLES: Final = ("postmaster", "abuse", "feedback")
"""Names at our domain that need no signature. RFC 5321 and 2142 want the first two; feedback loops use the third."""
_FOR_REPORTS: Final = re.compile(r"\bb-[a-z2-7]{24}@[a-z0-9.-]+", re.IGNORECASE)


class AddressInvalid(ValueError):
    """An address that we did not make: altered, truncated, or of another domain."""


@dataclass(frozen=True, slots=True)
class LetterAddress:
    purpose: Purpose
    letter_id: int


class Postmark:
    """Makes and reads the addresses at `domain`. `keys`: newest first; the first signs, all are accepted.

    Each begins with `before`: nothing, or the name of a mailbox that also gets what comes to `name+anything`.
    """

    def __init__(self, keys: list[str], domain: str, eras: Eras = no_restorations, before: str = "") -> None:
        self._keys = [key.encode() for key in keys]
        self._domain = domain.lower()
        self._before = before.lower()
        self._eras = eras

    def address(self, purpose: Purpose, letter_id: int) -> str:
        """E.g. `r-aaaaaabkvw2zj4b7lhqf6d3p@in.hearts.example.org`."""
        named = letter_id.to_bytes(KEY_BYTES, "big")
        word = base64.b32encode(named + self._tag(self._keys[0], purpose, named)).decode().lower()
        return f"{self._before}{purpose}-{word}@{self._domain}"

    def read(self, address: str) -> LetterAddress:
        """The purpose and the letter that the address names. Raises AddressInvalid."""
        whole, _, domain = address.strip().strip("<>").lower().rpartition("@")
        if domain != self._domain or not whole.startswith(self._before):
            raise AddressInvalid
        return self._signed(whole.removeprefix(self._before))

    def read_anywhere(self, address: str) -> LetterAddress:
        """The same for an address at which mail has come in, also at an earlier domain or mailbox of ours."""
        return self._signed(address.lower().rpartition("@")[0][-LENGTH:])

    def _signed(self, local: str) -> LetterAddress:
        try:
            purpose = Purpose(local[:1])
            content = base64.b32decode(local[2:].upper())
        except ValueError:
            raise AddressInvalid from None
        named, tag = content[:KEY_BYTES], content[KEY_BYTES:]
        genuine = any(hmac.compare_digest(tag, self._tag(key, purpose, named)) for key in self._keys)
        if local[1:2] != "-" or not genuine:
            raise AddressInvalid
        return LetterAddress(purpose, int.from_bytes(named, "big"))

    def is_role(self, address: str) -> bool:
        """Whether the address is one of `ROLES` at our domain, for the service's operators."""
        local, _, domain = address.strip().strip("<>").lower().rpartition("@")
        return bool(domain) and domain == self._domain and local in ROLES

    def letter_reported_in(self, text: str) -> int | None:
        """The letter of the first bounce address in `text`; None if there is none.

        Only servers know that one: it is in no mail that somebody has forwarded.
        """
        for found in islice(_FOR_REPORTS.finditer(text), MOST_TRIED):
            with suppress(AddressInvalid):
                return self.read(found[0]).letter_id
        return None

    def _tag(self, key: bytes, purpose: Purpose, named: bytes) -> bytes:
        era = era_of(self._eras(), int.from_bytes(named, "big"))
        return hmac.new(key, b"address " + purpose.encode() + named + era.encode(), hashlib.sha256).digest()[:TAG_BYTES]


# Internationalized mail addresses, as envelopes, headers and reports carry them. Source: RFC 5890, RFC 6532.


def address_in_ascii(address: str) -> str:
    """The address with its domain in ASCII (Punycode), as DNS wants it; the local part stays as it is.

    >>> address_in_ascii("jürg@exämple.org")
    'jürg@xn--exmple-cua.org'
    """
    try:
        domain = None if address.isascii() else validate_email(address, check_deliverability=False).ascii_domain
    except EmailNotValidError:
        domain = None
    return f"{address.rpartition('@')[0]}@{domain}" if domain else address


def forms_of(addresses: Iterable[str]) -> set[str]:
    """The addresses in lower case, in each form in which an envelope may have them."""
    return {form.lower() for address in addresses for form in (address, address_in_ascii(address))}


def domain_in_ascii(address: str) -> str:
    """The domain of an address, in ASCII and in lower case."""
    return address_in_ascii(address).rpartition("@")[2].lower()


# Addresses that are spelled in several ways and reach one mailbox: a player may answer from any of them.

_Who = TypeVar("_Who", bound=Hashable)
_GMAIL: Final = ("gmail.com", "googlemail.com")


def mailbox_of(address: str) -> str:
    """One spelling for all addresses that surely reach the same mailbox; for comparing, never for sending.

    Leaves out what follows a plus, the dots of a Gmail address, and capitals; and writes the domain in ASCII.

    >>> mailbox_of("Bo.Jansen+hearts@googlemail.com") == mailbox_of("bojansen@gmail.com")
    True
    """
    local, _, domain = address_in_ascii(address.strip()).lower().rpartition("@")
    before_plus = local.partition("+")[0] or local
    if domain in _GMAIL:
        return f"{before_plus.replace('.', '')}@{_GMAIL[0]}"
    return f"{before_plus}@{domain}"


def sharing(people: Iterable[tuple[_Who, str]]) -> list[list[_Who]]:
    """The people who share a mailbox, in the order of `people`, each given with their address.

    >>> sharing([("Ann", "ann@example.org"), ("Bo", "bo@example.org"), ("Cy", "ann+cy@example.org")])
    [['Ann', 'Cy']]
    """
    of_mailbox: dict[str, list[_Who]] = {}
    for who, address in people:
        of_mailbox.setdefault(mailbox_of(address), []).append(who)
    return [together for together in of_mailbox.values() if len(together) > 1]
