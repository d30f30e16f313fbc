"""Finds the servers of a mailbox: by DNS, by a file in the form of Mozilla's autoconfig, or by what somebody typed.

Sources: RFC 6186 and RFC 8314 (SRV records of IMAP and submission), Mozilla's "Autoconfig file format".
"""

from dataclasses import dataclass, replace
from typing import Self
from urllib.parse import quote
from xml.etree import ElementTree as Xml

from dns.exception import DNSException
from dns.name import root
from dns.resolver import Resolver

PATIENCE = 5.0  # seconds for each record
IMAPS, IMAP, SMTPS, SUBMISSION = 993, 143, 465, 587
# In order of preference: the service's name in the DNS, and the scheme of the URL.
FETCHING = (("_imaps._tcp", "imaps"), ("_imap._tcp", "imap"))
SENDING = (("_submissions._tcp", "smtps"), ("_submission._tcp", "smtp"))
SOCKETS = {"SSL": True, "STARTTLS": False}  # whether the connection is encrypted from its first byte


@dataclass(frozen=True, slots=True)
class Server:
    """A mail server as an URL names it: `scheme` is imaps, imap, smtps or smtp; the last two of a pair use STARTTLS."""

    scheme: str
    host: str
    port: int
    user: str

    @property
    def url(self) -> str:
        """The URL for INBOX_URL or SMTP_URL, with the user and without a password."""
        return f"{self.scheme}://{quote(self.user, safe='')}@{self.host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Servers:
    """The servers of a mailbox, as far as they were found."""

    fetching: Server | None = None
    sending: Server | None = None

    def or_else(self, other: Self) -> Self:
        """Adds the servers of `other` where one is missing."""
        return replace(self, fetching=self.fetching or other.fetching, sending=self.sending or other.sending)

    def for_user(self, name: str) -> Self:
        """The same servers, at which one logs in with that name."""
        fetching, sending = (one and replace(one, user=name) for one in (self.fetching, self.sending))
        return replace(self, fetching=fetching, sending=sending)


class NoAutoconfig(ValueError):
    """The file is not in the form of Mozilla's autoconfig, or names no server that we can use."""


def by_dns(address: str, resolver: Resolver) -> Servers:
    """The servers that the domain of the address names in the DNS."""
    domain = address.rpartition("@")[2]
    found = [
        next((one for name, scheme in ways if (one := _by_record(f"{name}.{domain}", scheme, address, resolver))), None)
        for ways in (FETCHING, SENDING)
    ]
    return Servers(*found)


def by_autoconfig(text: str, address: str) -> Servers:
    """The servers in a file in the form of Mozilla's autoconfig. Raises NoAutoconfig."""
    try:
        provider = Xml.fromstring(text).find("emailProvider")
    except Xml.ParseError:
        raise NoAutoconfig("It is no XML.") from None
    if provider is None:
        raise NoAutoconfig("It has no emailProvider.")
    fetching = _first_in(provider, "incomingServer", "imap", address)
    sending = _first_in(provider, "outgoingServer", "smtp", address)
    if fetching is None or sending is None:
        raise NoAutoconfig("It names no encrypted server for IMAP, or none for sending.")
    return Servers(fetching, sending)


def by_name(typed: str, address: str, *, sends: bool) -> Server:
    """The server that somebody typed, such as `imap.example.org` or `smtp.example.org:587`. Raises ValueError."""
    host, _, port_text = typed.strip().partition(":")
    port = int(port_text) if port_text else SMTPS if sends else IMAPS
    if not host or "/" in host or not 0 < port < 65536:
        raise ValueError(typed)
    encrypted, plain = ("smtps", "smtp") if sends else ("imaps", "imap")
    return Server(encrypted if port in (IMAPS, SMTPS) else plain, host, port, address)


def _by_record(name: str, scheme: str, address: str, resolver: Resolver) -> Server | None:
    try:
        records = resolver.resolve(name, "SRV", lifetime=PATIENCE)
    except DNSException:
        return None
    first = min(records, key=lambda record: (record.priority, -record.weight))
    if first.target == root:  # there is no such service
        return None
    return Server(scheme, first.target.to_text(omit_final_dot=True), first.port, address)


def _first_in(provider: Xml.Element, tag: str, kind: str, address: str) -> Server | None:
    """The first encrypted server of that kind; the file names them in its owner's order."""
    for server in provider.findall(tag):
        said = {child.tag: (child.text or "").strip() for child in server}
        if server.get("type") == kind and said.get("socketType") in SOCKETS and said.get("port", "").isdecimal():
            scheme = f"{kind}s" if SOCKETS[said["socketType"]] else kind
            return Server(scheme, said.get("hostname", ""), int(said["port"]), _user(said.get("username"), address))
    return None


def _user(form: str | None, address: str) -> str:
    local, _, domain = address.partition("@")
    places = {"%EMAILADDRESS%": address, "%EMAILLOCALPART%": local, "%EMAILDOMAIN%": domain}
    user = form or address
    for place, value in places.items():
        user = user.replace(place, value)
    return user
