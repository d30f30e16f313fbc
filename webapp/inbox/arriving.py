"""Mails in: each is stored as it came, before anything is done about it, whichever way it came.

Nothing is read here but the address that it was sent to, which must be one of ours; what is in it is for `acting`.
"""

import hashlib
import re
from datetime import datetime, timedelta

from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select, update

from webapp.inbox.received import fields, opened
from webapp.models import InboundRow
from webapp.parts import Parts

LARGEST = 256 * 1024  # bytes of a mail; an answer is one word, and what is quoted below it is one of ours
LONGEST_SENDER = 320
LEASE = timedelta(minutes=2)
KEPT_FOR = timedelta(days=14)
_UNHANDLED = text("handled_at IS NULL")  # as in the index
_MESSAGE_ID = re.compile(r"<[!-~]{3,240}>")


def arrive(parts: Parts, sender: str, recipient: str, raw: bytes) -> int:
    """Keeps a mail for a worker to read, and wakes one. Returns the id of its row; a copy has that of the first.

    `sender` and `recipient` are the envelope's, `sender` empty for a report. Raises AddressInvalid where the address is
    none of ours. Not checked: how large the mail is, and whether the letter exists.
    """
    parts.postmark.read(recipient)
    now = parts.now()
    row = InboundRow(
        sender=_plain(sender.strip().removeprefix("<").removesuffix(">"))[:LONGEST_SENDER],
        recipient=recipient.strip().removeprefix("<").removesuffix(">").lower(),
        identity=_identity(raw),
        raw=raw,
        next_at=now,
        received_at=now,
    )
    try:
        with parts.database.writing() as session:
            session.add(row)
    except IntegrityError:
        return _first(parts, row.recipient, row.identity)
    parts.bell.sort()
    assert row.id is not None
    return row.id


def claim(session: Session, now: datetime, most: int) -> list[int]:
    """Up to `most` mails that nobody has read yet, the oldest first, each given to one caller only for a lease."""
    waiting = (
        select(InboundRow.id)
        .where(_UNHANDLED, col(InboundRow.next_at) <= now)
        .order_by(col(InboundRow.next_at))
        .limit(most)
        .with_for_update(skip_locked=True)
    )
    claim = update(InboundRow).where(col(InboundRow.id).in_(waiting)).values(next_at=now + LEASE)
    return sorted(session.exec(claim.returning(col(InboundRow.id))).scalars())


def is_any_waiting(session: Session, now: datetime) -> bool:
    """Whether there is a mail to be read that nobody has claimed."""
    query = select(InboundRow.id).where(_UNHANDLED, col(InboundRow.next_at) <= now).limit(1)
    return session.exec(query).first() is not None


def forget_old(session: Session, now: datetime) -> None:
    """Empties the bodies of old mails, read or not; the rows stay, so that a copy is recognised."""
    old = (col(InboundRow.received_at) < now - KEPT_FOR, col(InboundRow.raw).is_not(None))
    session.exec(update(InboundRow).where(*old).values(raw=None))


def _first(parts: Parts, recipient: str, identity: str) -> int:
    """The row of the mail that a copy is of."""
    query = select(InboundRow.id).where(InboundRow.recipient == recipient, InboundRow.identity == identity)
    with parts.database.reading() as session:
        found = session.exec(query).one()
    assert found is not None
    return found


def _identity(raw: bytes) -> str:
    """What a copy has in common with the first: the Message-ID, or, where that is missing or odd, every byte."""
    found = fields(opened(raw), "Message-ID")
    if len(found) == 1 and _MESSAGE_ID.fullmatch(found[0]):
        return found[0]
    return hashlib.sha256(raw).hexdigest()


def _plain(text: str) -> str:
    """Without what no database keeps: zeros, and bytes that are no letters."""
    return text.encode("utf-8", "replace").decode().replace("\0", "")
