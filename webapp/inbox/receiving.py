"""Stores each inbound mail as it came, before anything is done about it, and gives it to one worker.

This module checks only that we have signed the recipient's address; `acting` reads the mail.
"""

import hashlib
import logging
import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, exists, func, or_, select, update

from webapp.core import database
from webapp.core.bell import DO_DUE
from webapp.core.database import in_batches
from webapp.core.runtime import Runtime
from webapp.games.clock import way_in
from webapp.games.clock.way_in import READ_WITHIN
from webapp.models import InboundRow, LetterRow, MailboxRow
from webapp.outbox import about_accounts
from webapp.replies.received import fields, parse_head, storable, without_attachments
from webapp.tables.seating import player_at

# Limits inbound mail: how much an address of ours takes within an hour, and how much one sender may bring.
# Counts the stored mails and their copies by index, so that any number of listeners share the same limits. People stay
# far below them; the listener asks the sender of a mail beyond them to try again later.

WITHIN = timedelta(hours=1)


class InboxLimit(NamedTuple):
    mails: int
    size: int  # bytes of them together


OF_ADDRESS = InboxLimit(20, 1024 * 1024)
OF_SENDER = InboxLimit(100, 5 * 1024 * 1024)  # of an envelope; reports have none, so that only their address counts


class AddressFull(ValueError):
    """An address of ours, or a sender, has reached its limit for the hour."""


def lock_letter(session: Session, letter_id: int) -> int | None:
    """Locks the letter, so that mails that come to its addresses at once are counted and stored one after another.

    Returns the id of its player; None if there is no such letter.
    """
    return session.exec(select(LetterRow.player_id).where(LetterRow.id == letter_id).with_for_update()).first()


def check(session: Session, recipient: str, sender: str, size: int, now: datetime) -> None:
    """Raises AddressFull if one more mail of `size` bytes would exceed the limit of the recipient or of the sender.

    Both are written as in `InboundRow`.
    """
    counted = [(InboundRow.recipient, recipient, OF_ADDRESS)]
    if sender:
        counted.append((InboundRow.sender, sender, OF_SENDER))
    for column, value, limit in counted:
        copies = func.coalesce(func.sum(InboundRow.copies), 0)
        kept = select(func.count() + copies, func.coalesce(func.sum(func.length(InboundRow.raw)), 0))
        mails, bytes_ = session.exec(kept.where(column == value, col(InboundRow.received_at) > now - WITHIN)).one()
        if mails >= limit.mails or bytes_ + size > limit.size:
            raise AddressFull


LARGEST_ON_WIRE = 25 * 1024 * 1024  # bytes of a mail that is taken, with the pictures of its signature
LARGEST = 256 * 1024  # bytes that are kept of it; an answer is one word, and below it quotes one of our mails
LONGEST_SENDER = 320  # characters
LEASE = READ_WITHIN
PUT_OFF = LEASE + timedelta(seconds=1)  # at least; longer than a lease, and so told apart from one
KEPT_FOR = timedelta(days=14)
AT_ONCE = 200  # mails whose text is deleted in a transaction
_UNHANDLED = text("handled_at IS NULL")  # a literal, so that the database uses the partial index
_MESSAGE_ID = re.compile(r"<[!-~]{3,240}>")


def receive(runtime: Runtime, sender: str, recipient: str, raw: bytes, *, is_ours_to_repeat: bool = False) -> int:
    """Stores a mail, and wakes a worker to read it. Returns the id of its row; for a copy, that of the first mail.

    `sender` and `recipient` are the envelope's; `sender` is empty for a report. Raises AddressInvalid if we have not
    signed the recipient's address, unless it is for the operators (`addresses.ROLES`); AddressFull if that address or
    the sender has reached its limit for the hour. Copies count, too, unless we fetch mails and so may read one twice
    (`is_ours_to_repeat`). Does not check whether the letter exists. Of a large mail it keeps
    the texts, and of these the beginning.
    """
    letter_id = None if runtime.postmark.is_role(recipient) else runtime.postmark.read(recipient).letter_id
    now = runtime.now()
    # Copies of a mail share its Message-ID; where that is missing or malformed, a hash.
    ids = fields(parse_head(raw), "Message-ID")
    is_named = len(ids) == 1 and _MESSAGE_ID.fullmatch(ids[0])
    row = InboundRow(
        sender=_sender(sender),
        recipient=_recipient(recipient),
        identity=ids[0] if is_named else hashlib.sha256(raw).hexdigest(),
        raw=without_attachments(raw)[:LARGEST] if len(raw) > LARGEST else raw,
        next_at=now,
        received_at=now,
    )
    try:
        with runtime.database.writing() as session:
            if letter_id is not None:
                row.player_id = lock_letter(session, letter_id)
            first = _first(session, row)
            if first is not None and is_ours_to_repeat:
                return first
            check(session, row.recipient, row.sender, 0 if first else len(row.raw or b""), now)
            if first is not None:
                known = update(InboundRow).where(col(InboundRow.id) == first)
                session.exec(known.values(copies=col(InboundRow.copies) + 1))
                return first
            session.add(row)
    except IntegrityError:  # a copy came at once, and there is no such letter whose lock would have put them in order
        with runtime.database.reading() as session:
            found = _first(session, row)
        assert found is not None
        return found
    runtime.bell.ring(DO_DUE)
    return row.id


def check_recipient(runtime: Runtime, sender: str, recipient: str) -> None:
    """Raises AddressInvalid, or AddressFull if not even a small mail would be stored now, before the mail comes."""
    if not runtime.postmark.is_role(recipient):
        runtime.postmark.read(recipient)
    with runtime.database.reading() as session:
        check(session, _recipient(recipient), _sender(sender), 1, runtime.now())


def claim(session: Session, now: datetime) -> int | None:
    """Claims the mail that has waited longest, for one caller and one lease. Returns its id; None if none waits.

    The mails of one player are claimed in the order in which they came: while a worker has one, no other gets the next.
    One that has failed, and so was put off, holds up no others. Callers claim one mail at a time, so that a worker that
    dies delays no others, and each mail is handled long before its lease is over.
    """
    earlier = aliased(InboundRow)
    is_first = ~exists(
        select(earlier.id).where(
            earlier.player_id == InboundRow.player_id,
            earlier.id < InboundRow.id,
            col(earlier.handled_at).is_(None),
            col(earlier.next_at) <= now + LEASE,
        )
    )
    by = col(InboundRow.next_at)
    claimed = database.claim(session, InboundRow, by, _UNHANDLED, now, 1, is_first, next_at=now + LEASE)
    return claimed[0] if claimed else None


def is_any_waiting(session: Session, now: datetime) -> bool:
    """Whether a mail waits to be read that no worker has claimed."""
    query = select(InboundRow.id).where(_UNHANDLED, col(InboundRow.next_at) <= now).limit(1)
    return session.exec(query).first() is not None


def forget_old_mails(runtime: Runtime, now: datetime) -> int:
    """Deletes the text and the sender of mails older than KEPT_FOR, read or not. Returns how many it changed.

    The rows stay, so that a copy is recognised. Each transaction changes a few, so that no turn waits long.
    """
    return in_batches(runtime.database, partial(_old_after, now=now), _forget, "inbound")


def _old_after(session: Session, last: int, *, now: datetime) -> Sequence[int]:
    """The next few of these mails, by id."""
    is_left = or_(col(InboundRow.raw).is_not(None), col(InboundRow.sender) != "")
    found = select(InboundRow.id).where(col(InboundRow.received_at) < now - KEPT_FOR, is_left, InboundRow.id > last)
    return session.exec(found.order_by(col(InboundRow.id)).limit(AT_ONCE)).all()


def _forget(session: Session, inbound_ids: Sequence[int]) -> int:
    these = update(InboundRow).where(col(InboundRow.id).in_(inbound_ids))
    return session.exec(these.values(raw=None, sender="")).rowcount


def _first(session: Session, row: InboundRow) -> int | None:
    """The id of the stored mail of which `row` is a copy; None if it is none."""
    same = (InboundRow.recipient == row.recipient, InboundRow.identity == row.identity)
    return session.exec(select(InboundRow.id).where(*same)).first()


def _recipient(address: str) -> str:
    return address.strip().removeprefix("<").removesuffix(">").lower()


def _sender(address: str) -> str:
    return storable(address.strip().removeprefix("<").removesuffix(">")).lower()[:LONGEST_SENDER]


# Remembers up to where a mailbox has been read, so that a process that starts goes on there.


def place_in(session: Session, name: str, validity: int) -> int:
    """The number of the last mail that needs no more reading; 0 if the mailbox is new, or its numbers are.

    `validity` is that of the mailbox's numbers: another one than before means that they were given anew.
    """
    row = session.get(MailboxRow, name)
    return row.last_uid if row is not None and row.validity == validity else 0


def move_on(session: Session, name: str, validity: int, last_uid: int) -> None:
    """Notes that all mails up to `last_uid` need no more reading. Of two processes, the one further on counts."""
    row = session.get(MailboxRow, name, with_for_update=True)
    if row is None:
        session.add(MailboxRow(name=name, validity=validity, last_uid=last_uid))
    elif row.validity != validity:
        row.validity, row.last_uid = validity, last_uid
    else:
        row.last_uid = max(row.last_uid, last_uid)


# Tells an operator that answers by mail cannot be read, by the way that still works, and the log.

OPERATOR = "Operator"  # the name of one who is no player
log = logging.getLogger(__name__)


def tell(runtime: Runtime, now: datetime) -> None:
    """Queues a mail to OPERATOR_ADDRESS, if it is set, once for each time in which the way in is shut for long.

    A scheduler calls it every `way_in.LOOK_EVERY`. Raises DatabaseDown.
    """
    address = runtime.settings.operator_address
    with runtime.database.reading() as session:
        if way_in.shut_since(session, runtime.settings, now) is None:
            return
    with runtime.database.writing() as session:
        since = way_in.look(session, runtime.settings, now)
        if since is None:
            return
        log.error("answers cannot be read since %s UTC", since.strftime("%Y-%m-%d %H:%M"))
        if address:
            about_accounts.queue_unread(session, runtime, player_at(session, address, OPERATOR, now), since, now)
    runtime.bell.deliver()
