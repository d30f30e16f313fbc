"""Mails in: each is stored as it came, before anything is done about it, whichever way it came.

Nothing is read here but the address that it was sent to, which must be one of ours; what is in it is for `acting`.
"""

import hashlib
import re
from datetime import datetime, timedelta

from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select, update

from webapp.core.runtime import Runtime
from webapp.inbox import limits
from webapp.models import InboundRow
from webapp.replies.received import fields, opened

LARGEST = 256 * 1024  # bytes of a mail; an answer is one word, and what is quoted below it is one of ours
LONGEST_SENDER = 320
LEASE = timedelta(seconds=20)
KEPT_FOR = timedelta(days=14)
_UNHANDLED = text("handled_at IS NULL")  # as in the index
_MESSAGE_ID = re.compile(r"<[!-~]{3,240}>")


def arrive(runtime: Runtime, sender: str, recipient: str, raw: bytes) -> int:
    """Keeps a mail for a worker to read, and wakes one. Returns the id of its row; a copy has that of the first.

    `sender` and `recipient` are the envelope's, `sender` empty for a report. Raises AddressInvalid where the address is
    none of ours, AddressFull where it, or the sender, has had enough within the hour. Not checked: how large the mail
    is by itself, and whether the letter exists.
    """
    letter_id = runtime.postmark.read(recipient).letter_id
    now = runtime.now()
    row = InboundRow(
        sender=_sender(sender),
        recipient=_recipient(recipient),
        identity=_identity(raw),
        raw=raw,
        next_at=now,
        received_at=now,
    )
    try:
        with runtime.database.writing() as session:
            limits.take_turns(session, letter_id)
            if (first := _first(session, row)) is not None:
                return first
            limits.check(session, row.recipient, row.sender, len(raw), now)
            session.add(row)
    except IntegrityError:  # where there is no such letter to take turns by
        with runtime.database.reading() as session:
            found = _first(session, row)
        assert found is not None
        return found
    runtime.bell.sort()
    assert row.id is not None
    return row.id


def check_room(runtime: Runtime, sender: str, recipient: str) -> None:
    """Raises AddressFull where not even a small mail would be kept now; for who asks before it comes."""
    with runtime.database.reading() as session:
        limits.check(session, _recipient(recipient), _sender(sender), 1, runtime.now())


def claim(session: Session, now: datetime) -> int | None:
    """The mail that has waited longest, given to one caller only for a lease; None where none waits.

    One at a time: a worker that dies keeps no others waiting, and each is seen to long before its lease is over.
    """
    waiting = (
        select(InboundRow.id)
        .where(_UNHANDLED, col(InboundRow.next_at) <= now)
        .order_by(col(InboundRow.next_at))
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    first = col(InboundRow.id) == waiting.scalar_subquery()
    claim = update(InboundRow).where(first).values(next_at=now + LEASE)
    return session.exec(claim.returning(col(InboundRow.id))).scalar_one_or_none()


def is_any_waiting(session: Session, now: datetime) -> bool:
    """Whether there is a mail to be read that nobody has claimed."""
    query = select(InboundRow.id).where(_UNHANDLED, col(InboundRow.next_at) <= now).limit(1)
    return session.exec(query).first() is not None


def forget_old(session: Session, now: datetime) -> None:
    """Empties the bodies of old mails, read or not; the rows stay, so that a copy is recognised."""
    old = (col(InboundRow.received_at) < now - KEPT_FOR, col(InboundRow.raw).is_not(None))
    session.exec(update(InboundRow).where(*old).values(raw=None))


def _first(session: Session, row: InboundRow) -> int | None:
    """The id of the mail that `row` is a copy of, if it is one."""
    same = (InboundRow.recipient == row.recipient, InboundRow.identity == row.identity)
    return session.exec(select(InboundRow.id).where(*same)).first()


def _recipient(address: str) -> str:
    return address.strip().removeprefix("<").removesuffix(">").lower()


def _sender(address: str) -> str:
    return _plain(address.strip().removeprefix("<").removesuffix(">"))[:LONGEST_SENDER]


def _identity(raw: bytes) -> str:
    """What a copy has in common with the first: the Message-ID, or, where that is missing or odd, every byte."""
    found = fields(opened(raw), "Message-ID")
    if len(found) == 1 and _MESSAGE_ID.fullmatch(found[0]):
        return found[0]
    return hashlib.sha256(raw).hexdigest()


def _plain(text: str) -> str:
    """Without what no database keeps: zeros, and bytes that are no letters."""
    return text.encode("utf-8", "replace").decode().replace("\0", "")
