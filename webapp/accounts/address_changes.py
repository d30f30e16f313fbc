"""How a move to another address stands: its row, what it waits for, until when it may be taken back.

What is done about it is for `moving`.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import text
from sqlmodel import Session, col, select

from webapp.core.tokens import LinkInvalid, NewAddressLink, OldAddressLink, TakeBackLink
from webapp.models import AddressChangeRow, ChangeState, PlayerRow

PROVED_WITHIN = timedelta(days=2)
SILENT_FOR = timedelta(days=7)  # as long an old address may say nothing
# A full inbox bounces, too, and its owner may look again: they get some days even where mails have come back.
UNREACHABLE_FOR = timedelta(days=3)
REMINDED_BEFORE = timedelta(days=2)  # the end of that
UNDONE_WITHIN = TakeBackLink.life
SWEEP_AT_MOST = 100
_OPEN = text("state = 'open'")  # as a literal, as in the index

AnyLink = NewAddressLink | OldAddressLink | TakeBackLink


def new_change(player: PlayerRow, address: str, now: datetime) -> AddressChangeRow:
    """The row of a move to `address` that is asked for now, not added to the session."""
    assert player.id is not None
    return AddressChangeRow(
        player_id=player.id,
        old_address=player.address,
        new_address=address,
        asked_at=now,
        ready_at=now + delay_of(player),
    )


def delay_of(player: PlayerRow) -> timedelta:
    """How long the player's address may say nothing to a move that is asked for now."""
    return SILENT_FOR if player.unreachable_at is None else UNREACHABLE_FOR


def is_under_way(change: AddressChangeRow, now: datetime) -> bool:
    """Whether the move may still come to be done: unless its new address was not proved in time."""
    return change.state is ChangeState.OPEN and (change.proved_at is not None or now - change.asked_at < PROVED_WITHIN)


def may_be_taken_back(change: AddressChangeRow, now: datetime) -> bool:
    """Whether the owner of the old address can still take the games back."""
    return change.state is ChangeState.DONE and change.ended_at is not None and now - change.ended_at < UNDONE_WITHIN


def under_way(session: Session, player_id: int, now: datetime) -> AddressChangeRow | None:
    """The move of the player that is under way; None where there is none."""
    own = select(AddressChangeRow).where(AddressChangeRow.player_id == player_id)
    found = session.exec(own.where(AddressChangeRow.state == ChangeState.OPEN)).first()
    return found if found and is_under_way(found, now) else None


def change_of(session: Session, link: AnyLink) -> AddressChangeRow:
    """The move of the link. Raises LinkInvalid where there is none."""
    change = session.get(AddressChangeRow, link.change_id)
    if change is None:
        raise LinkInvalid
    return change


def player_who_left(session: Session, address: str, now: datetime) -> PlayerRow | None:
    """The player who has moved away from that address a short while ago, and whose owner may take the games back."""
    left = select(PlayerRow).where(AddressChangeRow.player_id == PlayerRow.id, AddressChangeRow.old_address == address)
    done = left.where(AddressChangeRow.state == ChangeState.DONE, col(AddressChangeRow.ended_at) > now - UNDONE_WITHIN)
    return session.exec(done).first()


def masked(address: str) -> str:
    """An address so that only somebody who knows it recognises it: "e***@example.org"."""
    name, _, domain = address.rpartition("@")
    return f"{name[:1]}***@{domain}"


def ready(session: Session, now: datetime, most: int = SWEEP_AT_MOST) -> Sequence[int]:
    """The moves that have waited long enough for an answer, the oldest first; some need only be dropped."""
    waiting = select(AddressChangeRow.id).where(_OPEN, col(AddressChangeRow.ready_at) <= now)
    found = session.exec(waiting.order_by(col(AddressChangeRow.ready_at)).limit(most))
    return [change_id for change_id in found if change_id is not None]
