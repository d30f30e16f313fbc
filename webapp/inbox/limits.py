"""How much mail comes in: what an address of ours takes within an hour, and what a sender may bring.

Counted by index among the mails that were kept, so that any number of listeners heed the same limits. People stay far
below them; what comes beyond is to come later.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlmodel import Session, col, func, select

from webapp.models import InboundRow, LetterRow

WITHIN = timedelta(hours=1)


class Limit(NamedTuple):
    mails: int
    size: int  # bytes of them together


OF_ADDRESS = Limit(20, 1024 * 1024)
OF_SENDER = Limit(100, 5 * 1024 * 1024)  # of an envelope; reports have none, and are limited by their address alone


class AddressFull(ValueError):
    """An address of ours, or a sender, has had enough mail for now."""


def take_turns(session: Session, letter_id: int) -> None:
    """Lets one mail after another be counted and kept, of those that come to a letter's addresses at once."""
    session.exec(select(LetterRow.id).where(LetterRow.id == letter_id).with_for_update()).first()


def check(session: Session, recipient: str, sender: str, size: int, now: datetime) -> None:
    """Raises AddressFull where a mail of so many bytes, addressed as the row of it would be, is too much."""
    counted = [(InboundRow.recipient, recipient, OF_ADDRESS)]
    if sender:
        counted.append((InboundRow.sender, sender, OF_SENDER))
    for column, value, limit in counted:
        kept = select(func.count(), func.coalesce(func.sum(func.length(InboundRow.raw)), 0))
        mails, bytes_ = session.exec(kept.where(column == value, col(InboundRow.received_at) > now - WITHIN)).one()
        if mails >= limit.mails or bytes_ + size > limit.size:
            raise AddressFull
