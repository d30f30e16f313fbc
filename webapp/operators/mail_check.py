"""`hearts-by-mail mail check`: checks whether mail can be sent, arrive and be answered, and what is missing.

Only `try_out` changes anything: it sends a mail, as all mails are sent. No finding contains a secret.
"""

import smtplib
import socket
import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

from dns.exception import DNSException
from dns.resolver import Resolver
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, select

from webapp.core.config import LOOPBACK, Settings
from webapp.core.credentials import Mailbox, NoPassword, user_of
from webapp.core.database import DatabaseDown
from webapp.core.mail_server import IMAPClientError, LoginError, NoLogin, NotEncrypted, NotNow, connect_smtp
from webapp.core.mail_server import connect_imap as connect_to_mailbox
from webapp.core.runtime import Runtime
from webapp.core.say import say_many
from webapp.models import LetterRow, LetterState, PlayerRow
from webapp.operators import health, mail_loop
from webapp.operators.mail_servers import Finding, State, check_records
from webapp.outbox import about_accounts, holding

# Asks what kind of server answers at a port: an address for fetching may name the port for sending, and the reverse.
# Sources: the greetings of RFC 5321 (SMTP), RFC 9051 (IMAP) and RFC 1939 (POP3).

GREETINGS = ((b"220", "SMTP"), (b"* ", "IMAP"), (b"+OK", "POP3"))
GREETING_PATIENCE = 5.0  # seconds to wait for a greeting


@dataclass(frozen=True, slots=True)
class Greeting:
    """The kind of a server, such as "SMTP", and whether its port is encrypted from the first byte."""

    kind: str
    is_tls: bool


def greeting_at(host: str, port: int, *, is_tls: bool) -> Greeting | None:
    """How the server at that port greets, in the way `is_tls` says or else in the other; None if it does neither.

    Nothing is sent to it, so that its certificate does not matter.
    """
    for way in (is_tls, not is_tls):
        try:
            said = _said(host, port, is_tls=way)
        except OSError:
            continue
        for beginning, kind in GREETINGS:
            if said.startswith(beginning):
                return Greeting(kind, way)
    return None


def _said(host: str, port: int, *, is_tls: bool) -> bytes:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection((host, port), timeout=GREETING_PATIENCE) as plain:
        if not is_tls:
            return plain.recv(100)
        with context.wrap_socket(plain, server_hostname=host) as line:
            return line.recv(100)


APP_PASSWORD = "; some providers want an app password here, made in their settings"
A_MAIL = {"STORAGE": 100, "MESSAGE": 1}  # what a mail takes of the quotas: KiB, with our mail quoted in it, and mails
PATIENCE = 10.0  # seconds to wait for a server's response
TRIAL_SECONDS = 60.0


def resolver_here() -> Resolver:
    """A resolver with this machine's configuration, or one that finds nothing if the machine has none."""
    try:
        return Resolver()
    except DNSException:
        return Resolver(configure=False)


def check(runtime: Runtime, resolver: Resolver, now: datetime) -> Iterator[Finding]:
    """All findings, each yielded as soon as it is known."""
    settings = runtime.settings
    if settings.keeps_mail:
        yield Finding(State.NOT_USED, "relay, records and listener: SMTP_URL is not set, mail is kept for /mailbox")
    else:
        relay, listener = check_relay(settings), check_listener(settings)
        yield relay
        yield from check_records(settings, resolver)
        yield listener
        if settings.mailbox and State.MISSING not in (relay.state, listener.state):
            yield from mail_loop.findings(settings)
        if not settings.mailbox and settings.incoming_domain:
            # Signed verdicts of a mail server of our own prove who has sent a mail.
            if settings.known_authority:
                yield Finding(State.OK, f"verdicts: those that {settings.known_authority} signs count")
            else:
                yield Finding(State.NOT_USED, f"verdicts: VERDICTS_BY is not set, {mail_loop.ASKED_BACK}")
    # The process has validated the key when it started.
    if settings.vapid_key:
        yield Finding(State.OK, "notifications: signed with VAPID_KEY")
    elif settings.is_on_loopback:
        yield Finding(State.OK, "notifications: signed with a key that is kept in DATA_DIR")
    else:
        yield Finding(State.NOT_USED, "notifications: VAPID_KEY is not set, so no browser is told of a turn")
    yield _site(settings)
    if not settings.is_on_loopback:
        # Rate limits by network need the clients' addresses.
        if settings.trusted_proxies:
            words = "networks: clients are told apart, behind as many proxies as TRUSTED_PROXIES says"
            yield Finding(State.OK, words)
        else:
            words = "networks: TRUSTED_PROXIES is not set, so what one network may cause has no limit"
            yield Finding(State.NOT_USED, words)
    try:
        with runtime.database.reading() as session:
            yield sending(session, now)
    except DatabaseDown as error:
        yield Finding(State.MISSING, f"database: it does not answer ({error})")
    except SQLAlchemyError as error:
        words = f"database: it does not answer ({type(error).__name__}); is it up to date? hearts-by-mail migrate"
        yield Finding(State.MISSING, words)


def try_out(runtime: Runtime, address: str, seconds: float = TRIAL_SECONDS) -> Finding:
    """Sends a mail to `address` through the outbox and a worker, and waits up to `seconds` for the result."""
    with runtime.database.writing() as session:
        player = session.exec(select(PlayerRow).where(PlayerRow.address == address)).first()
        if player is None:  # every letter belongs to one
            player = PlayerRow(address=address, name="Operator", created_at=runtime.now())
            session.add(player)
            session.flush()
        letter = about_accounts.queue_trial(session, runtime, player, address, runtime.now())
    runtime.bell.deliver()
    until = time.monotonic() + seconds
    down = None
    while letter.state is LetterState.QUEUED and not letter.tries and time.monotonic() < until:
        time.sleep(0.2)
        with runtime.database.reading() as session:
            letter, down = session.get_one(LetterRow, letter.id), holding.down_text(session, runtime.now())
    match letter.state:
        case LetterState.SENT:
            return Finding(State.OK, "test mail: the relay took it; look whether it arrived, and not among the spam")
        case LetterState.KEPT:
            return Finding(State.OK, "test mail: it is kept for /mailbox")
        case _ if down:
            return Finding(State.MISSING, f"test mail: {down}")
        case _ if letter.problem:
            return Finding(State.MISSING, f"test mail: {letter.problem}")
        case _:
            return Finding(State.MISSING, "test mail: no worker has taken it yet; is one running?")


def check_relay(settings: Settings) -> Finding:
    """Whether the relay takes our mail."""
    url = urlsplit(settings.relay)
    is_tls = url.scheme == "smtps"
    port = url.port or (465 if is_tls else 25)
    return _of_right_kind(_relay(settings), "SMTP", url.hostname or "", port, is_tls=is_tls)


def _of_right_kind(found: Finding, wanted: str, host: str, port: int, *, is_tls: bool) -> Finding:
    """The finding on a server, or that another kind of server answers at its port."""
    if found.state is State.OK or (greeting := greeting_at(host, port, is_tls=is_tls)) is None:
        return found
    name = found.text.partition(":")[0]
    if greeting.kind != wanted:
        words = f"{name}: at port {port} a server for {greeting.kind} answers, and we need one for {wanted}"
        return Finding(State.MISSING, words)
    if greeting.is_tls != is_tls:
        scheme = f"{wanted.lower()}{'s' if greeting.is_tls else ''}"
        begins = "is encrypted from its first byte" if greeting.is_tls else "begins unencrypted"
        return Finding(State.MISSING, f"{name}: port {port} {begins}, so its address begins with {scheme}://")
    return found


def _relay(settings: Settings) -> Finding:
    url = urlsplit(settings.relay)
    name = f"relay {url.hostname}"
    try:
        smtp = connect_smtp(settings.relay, PATIENCE, settings.mailbox_password)
    except smtplib.SMTPAuthenticationError as error:
        secret, more = ("token", "") if user_of(url)[1] else ("password", APP_PASSWORD)
        return Finding(State.MISSING, f"{name}: it does not accept the user and {secret} ({error.smtp_code}){more}")
    except (NoLogin, NoPassword) as error:
        return Finding(State.MISSING, f"{name}: {error}")
    except smtplib.SMTPException as error:
        return Finding(State.MISSING, f"{name}: it does not take our mail ({type(error).__name__})")
    except OSError as error:
        return _unreachable(name, error)
    with smtp:
        is_encrypted = isinstance(smtp.sock, ssl.SSLSocket)
    login = ", logged in" if url.username else ""
    if not is_encrypted and url.hostname not in LOOPBACK:
        return Finding(State.MISSING, f"{name}: it offers no STARTTLS; mail can be read on the way")
    return Finding(State.OK, f"{name}: it takes our mail{', encrypted' if is_encrypted else ''}{login}")


def check_listener(settings: Settings) -> Finding:
    """Whether the listener for replies and reports answers, or their mailbox lets us in."""
    if settings.mailbox:
        box = settings.mailbox
        return _of_right_kind(_mailbox(settings, box), "IMAP", box.host, box.port, is_tls=box.is_tls)
    if not settings.incoming_domain:
        return Finding(State.NOT_USED, "listener: REPLY_DOMAIN is not set")
    url = urlsplit(settings.inbox_url)
    name = f"listener {url.hostname}:{url.port}"
    try:
        with socket.create_connection((url.hostname or "", url.port or 25), timeout=PATIENCE) as line:
            greeting = line.recv(200)
    except OSError as error:
        return _unreachable(name, error)
    if greeting.startswith(b"220"):
        return Finding(State.OK, f"{name}: it listens")
    return Finding(State.MISSING, f"{name}: somebody else listens there")


def _mailbox(settings: Settings, mailbox: Mailbox) -> Finding:
    """Whether the mailbox for replies and reports lets us in."""
    name = f"mailbox at {mailbox.host}"
    try:
        with connect_to_mailbox(mailbox, settings.mailbox_password(), PATIENCE) as line:
            line.select_folder(mailbox.folder, readonly=True)
            tells = "says at once" if line.has_capability("IDLE") else "does not say"
            quotas = line.get_quota(mailbox.folder) if line.has_capability("QUOTA") else ()  # RFC 9208
            is_full = any(one.usage + A_MAIL.get(one.resource, 0) > one.limit for one in quotas)
    except NoPassword as error:
        return Finding(State.MISSING, f"{name}: {error}")
    except LoginError:
        more = "" if mailbox.is_by_token else APP_PASSWORD
        return Finding(State.MISSING, f"{name}: it does not accept the user and {mailbox.secret}{more}")
    except NotEncrypted:
        return Finding(State.MISSING, f"{name}: it offers no encryption to protect the password")
    except NotNow as error:
        return Finding(State.MISSING, f"{name}: it lets nobody in for now ({error}); try again later")
    except IMAPClientError:
        return Finding(State.MISSING, f"{name}: it does not open the folder {mailbox.folder}")
    except OSError as error:
        return _unreachable(name, error)
    if is_full:
        return Finding(State.MISSING, f"{name}: it is full, so that no answer comes in until you make room")
    return Finding(State.OK, f"{name}: it lets us in, and {tells} that a mail has come")


def _site(settings: Settings) -> Finding:
    """Whether the links in mails lead to the service."""
    name = f"pages at {settings.address}"
    try:
        with urlopen(f"{settings.address}/", timeout=PATIENCE) as response:
            return Finding(State.OK, f"{name}: they open ({response.status})")
    except URLError as error:
        return _unreachable(name, error.reason if isinstance(error.reason, OSError) else error)
    except OSError as error:
        return _unreachable(name, error)


def _unreachable(name: str, error: OSError) -> Finding:
    if isinstance(error, socket.gaierror):
        return Finding(State.UNKNOWN, f"{name}: it could not be looked up")
    if isinstance(error, ssl.SSLError):
        return Finding(State.MISSING, f"{name}: its certificate is not good")
    return Finding(State.MISSING, f"{name}: it does not answer ({type(error).__name__})")


def sending(session: Session, now: datetime) -> Finding:
    """Whether letters go out."""
    if holding.held_since(session):
        return Finding(State.MISSING, "sending: an operator holds it; go on with hearts-by-mail mail resume")
    if down := holding.down_text(session, now):
        return Finding(State.MISSING, f"sending: {down}")
    queued, late = health.queued_letters(session, now), health.late_questions(session, now)
    letters = say_many(queued.waiting, "{number} letter", "{number} letters")
    if late.waiting or queued.oldest > health.LETTER_SECONDS:
        sentence = f"sending: {letters} queued, {late.waiting} of them late questions"
        return Finding(State.MISSING, f"{sentence}: does the relay answer, and does a worker run?")
    return Finding(State.OK, f"sending: {letters} queued, none for long")
