"""Sends trial mails to our own mailbox and looks how they come back: by which ways can answers find
their mail, and does a server say who has sent it?

A trial mail goes to the mailbox's address, and one to an address with a plus sign. Both are deleted as soon as they are
found; no other mail is touched. Source: RFC 5233 (subaddressing).
"""

import secrets
import smtplib
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from email.message import EmailMessage
from email.utils import formatdate, make_msgid

from webapp.core import mail_server
from webapp.core.config import Settings
from webapp.core.credentials import Mailbox, NoPassword
from webapp.core.mail_server import IMAPClient, IMAPClientError, connect_smtp, reason
from webapp.core.mail_server import connect_imap as connect_to_mailbox
from webapp.operators.mail_servers import Finding, State
from webapp.replies.authentication import is_own, signed_by
from webapp.replies.received import field, parse_head

PATIENCE = 10.0  # seconds to wait for a server's response
LONGEST = 60.0  # seconds until a mail is said not to come back
LARGEST = 1 << 20  # bytes that are read of a trial mail
AFTER_FIRST = 15.0  # seconds that the second one may take after the first
LOOK_EVERY = 1.0  # seconds
SUBJECT, PLAIN, PLUS = "Hearts by Mail, a trial", "plain", "plus"
FAILURES = (smtplib.SMTPException, IMAPClientError, NoPassword, OSError)
ASKED_BACK = 'so "away", "stop" and "wait" are asked back by mail'
SPAM = b"\\Junk"  # how a server marks the folder (RFC 6154)


@dataclass(frozen=True, slots=True)
class Loop:
    """The trial mails that came back: after how many seconds the first did (None: it did not), and what they kept."""

    seconds: float | None = None
    keeps_plus: bool = False  # mail to hearts+anything@… comes in
    keeps_message_id: bool = False
    is_spam: bool = False
    verdict_by: str | None = None  # who signs the verdict on the sender; None: nobody


def findings(settings: Settings) -> Iterator[Finding]:
    """Says whether mail comes back into our mailbox, and by which ways answers find theirs."""
    try:
        yield from findings_of(settings, try_loop(settings))
    except FAILURES as error:
        yield finding_of(settings, error)


def finding_of(settings: Settings, error: Exception) -> Finding:
    """Says why `try_loop` has failed, with the words of a server that refuses our mail, as when the mailbox is full."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, said = next(iter(error.recipients.values()))
        words = " ".join(said.decode("utf-8", "replace").split())
        return Finding(State.MISSING, f"loop: a mail to {settings.mailbox_address} is refused ({code} {words})")
    return Finding(State.UNKNOWN, f"loop: we could not try it ({reason(error)})")


def findings_of(settings: Settings, loop: Loop) -> Iterator[Finding]:
    """The same of mails that were sent before."""
    address = settings.mailbox_address
    if loop.seconds is None:
        yield Finding(State.MISSING, f"loop: a mail to {address} went out, and did not come in within a minute")
        return
    if loop.is_spam:
        yield Finding(State.MISSING, f"loop: our mail to {address} is taken for spam, and so may be answers to it")
    else:
        yield Finding(State.OK, f"loop: a mail to {address} came in after {loop.seconds:.0f} seconds")
    local, _, domain = address.partition("@")
    with_plus = f"{local}+anything@{domain}"
    if loop.keeps_plus:
        more = "" if settings.keeps_signatures else f"; REPLY_MAILBOX={local}+@{domain} makes use of that"
        yield Finding(State.OK, f"answers by address: mail to {with_plus} comes in{more}")
    elif settings.keeps_signatures:
        words = f"answers by address: mail to {with_plus} does not come in; set REPLY_MAILBOX={local}@{domain}"
        yield Finding(State.MISSING, words)
    else:
        yield Finding(State.NOT_USED, f"answers by address: mail to {with_plus} does not come in")
    if loop.keeps_message_id:
        yield Finding(State.OK, "answers by Message-ID: our mails keep theirs")
    else:
        state = State.NOT_USED if loop.keeps_plus else State.MISSING
        yield Finding(state, "answers by Message-ID: the server gives our mails other ones")
    # Whether a server says who has sent a mail, and under the name that counts.
    known, found = settings.known_authority, loop.verdict_by
    if found is None and known:
        words = f"verdicts: on the trial mail there is none; those that {known} signs count"
        yield Finding(State.NOT_USED, words)
    elif found is None:
        yield Finding(State.NOT_USED, f"verdicts: the server says of no mail who has sent it; {ASKED_BACK}")
    elif known and is_own(found, known):
        yield Finding(State.OK, f"verdicts: {found} says who has sent a mail")
    else:
        state = State.MISSING if settings.verdicts_by else State.NOT_USED
        yield Finding(state, f"verdicts: {found} says who has sent a mail; with VERDICTS_BY={found} that counts")


def try_loop(settings: Settings, longest: float = LONGEST) -> Loop:
    """Sends both mails and waits for them, up to `longest` seconds.

    Raises one of `FAILURES` if a server does not let us.
    """
    assert settings.mailbox is not None
    token = secrets.token_hex(8)
    with connect_to_mailbox(settings.mailbox, settings.mailbox_password(), PATIENCE) as line:
        # The folders to which a mail to us may come, with the number of the last mail in each.
        places = {settings.mailbox.folder: _last(line, settings.mailbox.folder)}
        with suppress(IMAPClientError):
            if spam := line.find_special_folder(SPAM):
                places[spam] = _last(line, spam)
        sent = _send(settings, token)
        loop, began = Loop(), time.monotonic()
        until = began + longest
        while time.monotonic() < until and not (loop.seconds is not None and loop.keeps_plus):
            for back in _taken(line, settings.mailbox, places, token):
                now = time.monotonic()
                loop = Loop(
                    seconds=now - began if loop.seconds is None else loop.seconds,
                    keeps_plus=loop.keeps_plus or back.is_plus,
                    keeps_message_id=loop.keeps_message_id or back.message_id in sent,
                    is_spam=loop.is_spam or back.is_spam,
                    verdict_by=loop.verdict_by or back.verdict_by,
                )
                until = min(until, now + AFTER_FIRST)
            time.sleep(LOOK_EVERY)
    return loop


@dataclass(frozen=True, slots=True)
class _Back:
    is_plus: bool
    message_id: str
    is_spam: bool
    verdict_by: str | None


def _send(settings: Settings, token: str) -> set[str]:
    """Sends both mails. Returns their Message-IDs. A server may refuse the address with a plus sign."""
    local, _, domain = settings.mailbox_address.partition("@")
    sender, sent = settings.sender.addr_spec, set()
    with connect_smtp(settings.relay, PATIENCE, settings.mailbox_password) as relay:
        for to, what in ((f"{local}@{domain}", PLAIN), (f"{local}+{token}@{domain}", PLUS)):
            mail = EmailMessage()
            mail["From"], mail["To"], mail["Subject"] = settings.mail_from, to, f"{SUBJECT} {token} {what}"
            mail["Date"], mail["Message-ID"] = formatdate(), make_msgid(domain=settings.sender.domain)
            mail["Auto-Submitted"] = "auto-generated"
            mail.set_content("Hearts by Mail looks whether mail to this mailbox comes in, and deletes this one.\n")
            try:
                relay.send_message(mail, sender, [to])
            except smtplib.SMTPRecipientsRefused:
                if what is PLAIN:
                    raise
            sent.add(str(mail["Message-ID"]))
    return sent


def _last(line: IMAPClient, folder: str) -> int:
    _, following = mail_server.opened(line, folder)
    return following - 1 if following else max(mail_server.uids_since(line, _yesterday()), default=0)


def _yesterday() -> date:
    return (datetime.now(UTC) - timedelta(days=1)).date()


def _taken(line: IMAPClient, mailbox: Mailbox, places: dict[str, int], token: str) -> Iterator[_Back]:
    """The trial mails that have come in, which this deletes. The same commands find them that find answers."""
    for folder, seen in places.items():
        mail_server.opened(line, folder, to_change=True)
        uids = mail_server.uids_after(line, seen) if seen else mail_server.uids_since(line, _yesterday())
        ours = []
        for uid, raw in mail_server.heads(line, uids, ["Subject"]).items():
            subject = field(parse_head(raw), "Subject")
            if token in subject:
                head = parse_head(mail_server.whole(line, uid, LARGEST) or b"")
                is_spam = folder != mailbox.folder
                yield _Back(subject.endswith(PLUS), field(head, "Message-ID"), is_spam, signed_by(head))
                ours.append(uid)
        if ours:
            mail_server.remove(line, ours)
        places[folder] = max([seen, *uids])
