"""Limits inbound mail: how much an address of ours takes within an hour, and how much one sender may bring.

Counts the stored mails and their copies by index, so that any number of listeners share the same limits. People stay
far below them; the listener asks the sender of a mail beyond them to try again later.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlmodel import Session, col, func, select

from webapp.models import InboundRow, LetterRow

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
