"""Checks the DNS records that our mail needs, and says which records to create.

Sources: RFC 7208 (SPF), RFC 6376 and RFC 8463 (DKIM), RFC 7489 (DMARC), RFC 5321 (MX).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from dns.exception import DNSException
from dns.resolver import NXDOMAIN, NoAnswer, Resolver

from webapp.core.config import Settings
from webapp.core.keys import dkim_key, dkim_record

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
    found = []
    for check in _checks(settings):
        try:
            found.append(check(settings, resolver))
        except NoLookup as error:
            found.append(Finding(State.UNKNOWN, f"{error} could not be looked up"))
    return found


def _checks(settings: Settings) -> Iterator[Callable[[Settings, Resolver], Finding]]:
    yield _spf
    yield from (partial(_dkim, selector, file) for selector, file in settings.dkim_keys.items())
    if not settings.dkim_keys:
        yield lambda *_: Finding(State.NOT_USED, "DKIM: DKIM_KEY is not set; let your relay sign")
    yield from (_dmarc, _mx)


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
