"""Limits the mail that anybody can cause: to one address, by one player, and from one network.

A view that makes us write to an address that somebody typed counts the mail first, and takes the count back if it
queued none. It counts after it has read its form, so that a refused form still contains what was typed. The keys of
the counts are digests made with the secret key: we store no address of a person or a machine.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from math import ceil
from typing import Final
from urllib.parse import urlsplit

from flask import request
from flask import session as cookie
from werkzeug.wrappers import Response as AnyResponse

from webapp import counts
from webapp.core.addresses import mailbox_of
from webapp.core.say import Refused, later, say
from webapp.forms.opening import NewSeat
from webapp.pages.common import reading, runtime
from webapp.presentation.phrasing import span
from webapp.tables.offers import strangers

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
HOUSEHOLD: Final = 64  # prefix length of an IPv6 network that a provider gives one customer; for IPv4, one address

Refusal = tuple[str, int, dict[str, str]]
Answer = AnyResponse | str | tuple[str, int] | Refusal  # of a view that may refuse


class TooMuchMail(Refused):
    """The visitor has reached a limit. The text is a message for them; after `wait` they may try again."""

    def __init__(self, sentence: str, wait: timedelta) -> None:
        self.wait = max(wait, timedelta(seconds=1))
        minutes = ceil(self.wait / timedelta(minutes=1))
        rounded_up = timedelta(minutes=minutes) if minutes < 60 else timedelta(hours=ceil(minutes / 60))
        again = say("Please try again in {time}.", time=span(rounded_up))
        super().__init__(f"{sentence} {again}")


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit that applies to each key of its kind."""

    kind: str
    most: int
    within: timedelta
    sentence: str  # the message for a visitor who is refused, which `later` has marked


@dataclass(frozen=True, slots=True)
class Count:
    """An amount of mail, or of tables, that a visitor is about to cause."""

    limit: Limit
    whose: str
    amount: int = 1
    name: str = ""  # of a guest, for the sentence

    @property
    def key(self) -> str:
        about = f"count {self.limit.kind} {self.whose}".encode()
        return f"{self.limit.kind} {hmac.new(runtime().keys[0].encode(), about, hashlib.sha256).hexdigest()[:32]}"

    def add(self, amount: int) -> int:
        """Adds to the count, in a transaction of its own. Returns the sum."""
        with runtime().database.writing() as session:
            return counts.add(session, self.key, amount, self.limit.within, runtime().now())


NETWORK: Final = (
    Limit("network", 60, HOUR, later("Your network has asked us for a lot of mail within the hour.")),
    Limit("network-day", 240, DAY, later("Your network has asked us for a lot of mail today.")),
)
NETWORK_TABLES: Final = Limit("tables", 20, HOUR, later("Your network has opened a lot of tables within the hour."))
ADDRESS: Final = Limit(
    "address",
    5,
    HOUR,
    later("That is enough mail for now: we have written to this address several times. Please look into its inbox."),
)
ASKER: Final = Limit("asker", 5, HOUR, later("You have asked for several of these emails within the hour."))
CODES: Final = later("Too many codes have been tried. The link in the email works all the same.")
CODE_TRIES: Final = Limit("code-tries", 5, DAY, CODES)  # of one code
ADDRESS_CODES: Final = Limit("address-codes", 20, DAY, CODES)  # in all browsers
NETWORK_CODES: Final = Limit("network-codes", 60, DAY, CODES)
HOST: Final = Limit("host", 30, DAY, later("You have invited as many people as you can within a day."))
STRANGER: Final = Limit(
    "stranger", 3, DAY, later("{name} has been invited several times today by people they don't know yet.")
)


@contextmanager
def counted(*mails: Count) -> Iterator[None]:
    """A context that adds the counts at its beginning, and takes them back if its block raises.

    Raises TooMuchMail, and counts nothing, if one of the limits is reached.
    """
    with ExitStack() as unused:
        for count in mails:
            unused.callback(count.add, -count.amount)
            if count.add(count.amount) > count.limit.most:
                with runtime().database.reading() as session:
                    wait = counts.ends_at(session, count.key, runtime().now()) - runtime().now()
                raise TooMuchMail(say(count.limit.sentence, name=count.name), wait)
        yield
        unused.pop_all()


def table_opened(host_address: str) -> list[Count]:
    """The counts of a mail that asks a host to confirm a new table."""
    network = _network()
    tables = [Count(NETWORK_TABLES, network)] if network else []
    return [*_from_here(), *tables, to_address(host_address)]


def asked_for(address: str, player_id: int | None = None) -> list[Count]:
    """The counts of a mail that proves an address; `player_id` is the player who asks for it, if known."""
    asker = [] if player_id is None else [Count(ASKER, str(player_id))]
    return [*_from_here(), *asker, to_address(address)]


def sign_in_asked() -> list[Count]:
    """The counts of a sign-in link that the visitor may learn about.

    That of the address is not among them: its refusal would reveal whether a player has this address.
    """
    return _from_here()


def code_tried(browser: str, address: str) -> list[Count]:
    """The counts of a code that somebody types to sign in, in the browser of that name, at that address."""
    network = _network()
    of_network = [Count(NETWORK_CODES, network)] if network else []
    return [Count(CODE_TRIES, browser), Count(ADDRESS_CODES, mailbox_of(address)), *of_network]


def to_address(address: str) -> Count:
    """The count of one mail to this address, of the kinds that anybody can ask for."""
    return Count(ADDRESS, mailbox_of(address))


def to_player(player_id: int) -> Count:
    """The count of one mail to a player who has asked for it with the link to their preferences."""
    return Count(ASKER, str(player_id))


def invited(host_id: int, guests: Sequence[NewSeat]) -> list[Count]:
    """The counts of invitations by a host to `guests`, each of whom has an address."""
    if not guests:
        return []
    with reading() as session:
        unknown = strangers(session, host_id, guests)
    to_strangers = [Count(STRANGER, mailbox_of(guest.address or ""), name=guest.name) for guest in unknown]
    return [*_from_here(len(guests)), Count(HOST, str(host_id), len(guests)), *to_strangers]


def refused(body: str, error: Refused, status: int = 400) -> Refusal:
    """The response to a form that cannot be granted. Too much mail has the status 429, with Retry-After."""
    if isinstance(error, TooMuchMail):
        return body, 429, {"Retry-After": str(ceil(error.wait.total_seconds()))}
    return body, status, {}


def _from_here(mails: int = 1) -> list[Count]:
    network = _network()
    return [Count(limit, network, mails) for limit in NETWORK] if network else []


def _network() -> str | None:
    """The network that the request comes from; None if it is not one customer's network.

    That is this machine or a private network: somebody who tries the service out, or a proxy that TRUSTED_PROXIES does
    not count, through which all requests come.
    """
    text = request.remote_addr or ""
    address = _read_ip(text)
    if address is None:
        return text or None
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if not runtime().settings.trusted_proxies and not address.is_global:
        return None
    if isinstance(address, IPv4Address):
        return str(address)
    return str(IPv6Network((int(address), HOUSEHOLD), strict=False))


def _read_ip(text: str) -> IPv4Address | IPv6Address | None:
    """The IP address in `text`, to which some proxies add the port; None if it is none."""
    with suppress(ValueError):
        return ip_address(text)
    with suppress(ValueError):
        return ip_address(urlsplit(f"//{text}").hostname or "")
    return None


# The mail that this browser has just asked for. Its link, opened in the same browser, needs no further tap.
# Mail scanners open links, too, but they have no cookie of ours. Nor has a person who got the mail because a stranger
# typed their address. To both, the page shows a button.

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
