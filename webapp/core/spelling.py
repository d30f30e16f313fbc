"""Addresses that are spelled in several ways and reach one mailbox: a player may answer from any of them."""

from collections.abc import Hashable, Iterable
from typing import Final, TypeVar

from webapp.core.idn import address_in_ascii

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
