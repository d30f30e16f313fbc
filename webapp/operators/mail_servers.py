"""The records in DNS that our mail needs, and the servers of a mailbox."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Self
from urllib.parse import quote, urlsplit
from xml.etree import ElementTree as Xml

from dns.exception import DNSException
from dns.name import root
from dns.resolver import NXDOMAIN, NoAnswer, Resolver

from webapp.core.config import Settings
from webapp.core.credentials import dkim_key, dkim_record

# Checks the DNS records that our mail needs, and says which records to create.
# Sources: RFC 7208 (SPF), RFC 6376 and RFC 8463 (DKIM), RFC 7489 (DMARC), RFC 5321 (MX).

PATIENCE = 5.0  # seconds for each record


class State(StrEnum):
    OK = "ok"
    MISSING = "missing"
    UNKNOWN = "unknown"  # the lookup failed
    NOT_USED = "not used"


@dataclass(frozen=True, slots=True)
class Finding:
    """The state of one thing that mail needs, and the record to create if one is missing."""

    state: State
    text: str
    create: str | None = None

    def __str__(self) -> str:
        first = f"{self.state.value:<8}  {self.text}"
        return f"{first}\n{'':10}create: {self.create}" if self.create else first


class NoLookup(Exception):
    """The DNS does not answer."""


def check_records(settings: Settings, resolver: Resolver) -> list[Finding]:
    """The findings on SPF, DKIM, DMARC and MX, as far as the settings need them."""
    checks: list[Callable[[Settings, Resolver], Finding]] = [_spf]
    checks += [partial(_dkim, selector, file) for selector, file in settings.dkim_keys.items()]
    if not settings.dkim_keys:
        checks.append(lambda *_: Finding(State.NOT_USED, "DKIM: DKIM_KEY is not set; let your relay sign"))
    checks += [_dmarc, _mx]
    found = []
    for check in checks:
        try:
            found.append(check(settings, resolver))
        except NoLookup as error:
            found.append(Finding(State.UNKNOWN, f"{error} could not be looked up"))
    return found


def _spf(settings: Settings, resolver: Resolver) -> Finding:
    """Whether our relay may send for the envelope's domain."""
    domain = settings.reply_domain or settings.sender.domain
    found = [text for text in _texts(resolver, domain) if text.lower().split()[:1] == ["v=spf1"]]
    if len(found) == 1:
        return Finding(State.OK, f"SPF of {domain}: {found[0]}")
    record = f'{domain}. TXT "v=spf1 a:{urlsplit(settings.relay).hostname} -all"'
    record += "  (or what the owner of your relay tells you to include)"
    problem = "there are several; only one may stay" if found else "no record"
    return Finding(State.MISSING, f"SPF of {domain}: {problem}", record)


def _dkim(selector: str, file: Path, settings: Settings, resolver: Resolver) -> Finding:
    """Whether the public half of a signing key is published."""
    name, ours = f"{selector}._domainkey.{settings.sender.domain}", dkim_record(dkim_key(file.read_bytes()))
    for text in _texts(resolver, name):
        tags = _tags(text)
        if (tags.get("k", "rsa"), tags.get("p")) == (_tags(ours)["k"], _tags(ours)["p"]):
            return Finding(State.OK, f"DKIM of {name}: our key")
        if "p" in tags:
            return Finding(State.MISSING, f"DKIM of {name}: another key than ours", _record(name, ours))
    return Finding(State.MISSING, f"DKIM of {name}: no record", _record(name, ours))


def _tags(text: str) -> dict[str, str]:
    """The tags of a DKIM record."""
    pairs = (part.partition("=") for part in text.split(";"))
    return {name.strip(): "".join(value.split()) for name, _, value in pairs}


def _record(name: str, text: str) -> str:
    """A record to create, in strings of 255 characters, the most that TXT allows."""
    return f"{name}. TXT " + " ".join(f'"{text[at : at + 250]}"' for at in range(0, len(text), 250))


def _dmarc(settings: Settings, resolver: Resolver) -> Finding:
    """Finds how others treat mail that is forged in our name; a parent domain's record counts, too."""
    domain = settings.sender.domain
    labels = domain.split(".")
    for parent in (".".join(labels[at:]) for at in range(max(1, len(labels) - 1))):
        for text in _texts(resolver, f"_dmarc.{parent}"):
            if text.replace(" ", "").lower().startswith("v=dmarc1"):
                return Finding(State.OK, f"DMARC of {parent}: {text}")
    record = f'_dmarc.{domain}. TXT "v=DMARC1; p=none; rua=mailto:{settings.sender.addr_spec}"'
    return Finding(State.MISSING, f"DMARC of {domain}: no record", record)


def _mx(settings: Settings, resolver: Resolver) -> Finding:
    """Whether there is a server for replies and reports."""
    domain = settings.reply_domain
    if settings.mailbox:
        return Finding(State.NOT_USED, "MX: replies are fetched from the mailbox that INBOX_URL names")
    if not domain:
        return Finding(State.NOT_USED, "MX: REPLY_DOMAIN is not set, so no email can be answered, and none comes back")
    hosts = _lookup(resolver, domain, "MX")
    if hosts:
        return Finding(State.OK, f"MX of {domain}: {', '.join(hosts)}")
    host = urlsplit(settings.address).hostname
    record = f"{domain}. MX 10 {host}.  (the machine that takes mail in for INBOX_URL)"
    return Finding(State.MISSING, f"MX of {domain}: no record", record)


def _texts(resolver: Resolver, name: str) -> list[str]:
    """The TXT records of a name, each with its strings joined."""
    return _lookup(resolver, name, "TXT")


def _lookup(resolver: Resolver, name: str, kind: str) -> list[str]:
    """The records of a name as text; empty if there are none. Raises NoLookup if the DNS does not answer."""
    try:
        answer = resolver.resolve(f"{name}.", kind, lifetime=PATIENCE)
    except (NXDOMAIN, NoAnswer):
        return []
    except (DNSException, OSError):
        raise NoLookup(f"{kind} of {name}") from None
    if kind == "TXT":
        return [b"".join(record.strings).decode(errors="replace") for record in answer]
    return [record.to_text() for record in answer]


# Finds the servers of a mailbox: by DNS, by a file in the form of Mozilla's autoconfig, or by what somebody typed.
# Sources: RFC 6186 and RFC 8314 (SRV records of IMAP and submission), Mozilla's "Autoconfig file format".

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
            local, _, domain = address.partition("@")
            user = (said.get("username") or address).replace("%EMAILADDRESS%", address)
            user = user.replace("%EMAILLOCALPART%", local).replace("%EMAILDOMAIN%", domain)
            return Server(scheme, said.get("hostname", ""), int(said["port"]), user)
    return None
