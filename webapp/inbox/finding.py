"""Finds our mail in a mailbox that also gets other mail: to which signed address of ours a mail belongs, if to any.

A mail is ours if it came to a signed address; if it answers a letter; if it is in the thread of one, and its sender is
that letter's player; or if it is a report about a letter. A letter is known by its Message-ID, which nobody can guess.
Other mail is none of our business, and so are our own letters: their player may read them in the same mailbox.
"""

import re
from collections.abc import Collection, Iterable

from sqlmodel import Session, col, select

from webapp.accounts import other_addresses
from webapp.core.addresses import AddressInvalid, Purpose, mailbox_of
from webapp.core.runtime import Runtime
from webapp.models import LetterRow, PlayerRow
from webapp.replies.machine import is_from_daemon
from webapp.replies.received import Mail, addresses, content_type, fields, parse_head

RECIPIENTS = ("To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To", "X-Forwarded-To")
ANSWERED = ("In-Reply-To", "References")
# The fields of a mail's header that say whether it is ours, or needs an answer (`unaddressed`).
NEEDED = (*RECIPIENTS, *ANSWERED, "Message-ID", "Content-Type", "From", "Return-Path", "X-Failed-Recipients", "Date")
AT_MOST = 20  # Message-IDs of a mail that are looked up
_MESSAGE_ID = re.compile(r"<[^<>\s@\x00-\x1f]{1,80}@[^<>\s@\x00-\x1f]{1,120}>")  # PostgreSQL takes no zero byte
_RETURNED = re.compile(rb"^[ \t>|]*Message-ID:\s*(<[!-~]{3,200}>)", re.IGNORECASE | re.MULTILINE)


def known_ids(session: Session, heads: Iterable[Mail]) -> set[str]:
    """The Message-IDs of our letters that these mails name, found by one query for all of them."""
    named = {one for head in heads for one in _named(head)}
    return (
        set(session.exec(select(LetterRow.message_id).where(col(LetterRow.message_id).in_(named)))) if named else set()
    )


def may_be_ours(runtime: Runtime, head: Mail, known: Collection[str]) -> bool:
    """Whether the mail needs a closer look: it names a signed address or a letter of ours, or may be a report.

    `known` are the Message-IDs of our letters, as `known_ids` found them.
    """
    return any(one in known for one in _named(head)) or is_report(head) or bool(_signed(runtime, head))


def _named(head: Mail) -> list[str]:
    """The Message-IDs in the fields that name an answered mail."""
    values = (value for name in ANSWERED for value in fields(head, name))
    return [one for value in values for one in _MESSAGE_ID.findall(value)[-AT_MOST:]]


def addresses_of(session: Session, runtime: Runtime, head: Mail) -> list[str]:
    """The signed addresses of ours that a mail is for, by its header; empty if it is not ours, or a report."""
    if _letters(session, fields(head, "Message-ID")):
        return []
    if signed := _signed(runtime, head):
        return signed
    if is_report(head):
        return []
    answered = fields(head, "In-Reply-To")
    for letter in _letters(session, (value for name in ANSWERED for value in fields(head, name))):
        is_answered = any(letter.message_id in value for value in answered)
        if is_answered or _is_by_player(session, letter, head):
            return [runtime.postmark.address(Purpose.REPLY, letter.id)]
    return []


def _is_by_player(session: Session, letter: LetterRow, head: Mail) -> bool:
    """Whether the letter's player is the sender, by an address from which their answers count."""
    by = {mailbox_of(address) for value in fields(head, "From") for address in addresses(value)}
    theirs = other_addresses.all_of(session, session.get_one(PlayerRow, letter.player_id))
    return len(by) == 1 and by <= set(map(mailbox_of, theirs))


def is_report(head: Mail) -> bool:
    """Whether a mail server may have written the mail to report about another; its text says about which."""
    no_sender = any(value.strip() in ("<>", "") for value in fields(head, "Return-Path"))
    is_marked = content_type(head) == "multipart/report" or bool(fields(head, "X-Failed-Recipients"))
    return no_sender or is_marked or is_from_daemon(head)


def reported_by(session: Session, runtime: Runtime, raw: bytes) -> list[str]:
    """The address for reports that only quote the letter which `raw` returns; empty if it returns none of ours.

    Anybody who has a forwarded mail can write such a report: it proves less than one to the letter's bounce address.
    """
    head = parse_head(raw)
    found = [match.decode() for match in _RETURNED.findall(raw)[:AT_MOST]]
    found += [value for name in ANSWERED for value in fields(head, name)]
    return [runtime.postmark.address(Purpose.QUOTED, letter.id) for letter in _letters(session, found)][:1]


def sender_of(head: Mail) -> str:
    """The sender of the envelope: as the server has noted it, else that of From; empty for a report."""
    for value in fields(head, "Return-Path"):
        return next(iter(addresses(value)), "")
    return next((address for value in fields(head, "From") for address in addresses(value)), "")


def _signed(runtime: Runtime, head: Mail) -> list[str]:
    found = (address for name in RECIPIENTS for value in fields(head, name) for address in sorted(addresses(value)))
    return [address for address in dict.fromkeys(found) if _is_signed(runtime, address)]


def _is_signed(runtime: Runtime, address: str) -> bool:
    try:
        runtime.postmark.read(address)
    except AddressInvalid:
        return False
    return True


def _letters(session: Session, values: Iterable[str]) -> list[LetterRow]:
    """The letters whose Message-IDs are in `values`, in that order; the last of a field is the nearest."""
    found = dict.fromkeys(one for value in values for one in reversed(_MESSAGE_ID.findall(value)))
    named = list(found)[:AT_MOST]
    if not named:
        return []
    letters = session.exec(select(LetterRow).where(col(LetterRow.message_id).in_(named))).all()
    return sorted(letters, key=lambda letter: named.index(letter.message_id))
