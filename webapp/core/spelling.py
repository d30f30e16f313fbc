"""Addresses that are spelled in several ways and reach one mailbox: a player may answer from any of them."""

from typing import Final

from webapp.core.idn import address_in_ascii

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
