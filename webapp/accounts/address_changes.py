"""Reads the state of an address change: its row, what it waits for, until when the old owner may take the games back.

`changing_address` carries an address change out.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from sqlalchemy import text
from sqlmodel import Session, col, exists, not_, select, update

from webapp.core.addresses import mailbox_of
from webapp.core.runtime import Runtime
from webapp.core.tokens import (
    LinkInvalid,
    NewAddressLink,
    OldAddressLink,
    OtherAddressLink,
    PreferencesLink,
    TakeBackLink,
)
from webapp.forms.fields import BadField, read_address
from webapp.games.clock.presence import note_act
from webapp.games.record.links import check_player
from webapp.games.record.rows import locked_player
from webapp.models import AddressChangeRow, ChangeState, LetterKind, PlayerRow
from webapp.outbox import about_accounts

PROVED_WITHIN = timedelta(days=2)
SILENT_FOR = timedelta(days=7)  # how long the change waits for an answer from the old address
# A full inbox bounces, too, and its owner may look again: they get some days even if mails have come back.
UNREACHABLE_FOR = timedelta(days=3)
REMINDED_BEFORE = timedelta(days=2)  # before the end of that wait
UNDONE_WITHIN = TakeBackLink.ttl
KEPT_FOR = timedelta(days=30)  # longer than any link to a change works
SWEEP_LIMIT = 100
BESIDE = (ChangeState.HEARD, ChangeState.COUNTS)  # of an address from which its player answers, or somebody else
_OPEN = text("state = 'open'")  # a literal, so that the database uses the partial index

AnyLink = NewAddressLink | OldAddressLink | TakeBackLink | OtherAddressLink


def new_change(player: PlayerRow, address: str, now: datetime) -> AddressChangeRow:
    """A new address change to `address`, asked for at `now` and not added to the session."""
    return AddressChangeRow(
        player_id=player.id,
        old_address=player.address,
        new_address=address,
        asked_at=now,
        ready_at=now + delay_of(player),
    )


def delay_of(player: PlayerRow) -> timedelta:
    """How long an address change that is asked for now waits for an answer from the player's old address."""
    return SILENT_FOR if player.unreachable_at is None else UNREACHABLE_FOR


def is_under_way(change: AddressChangeRow, now: datetime) -> bool:
    """Whether the change is open, and its new address was proved in time or still can be."""
    return change.state is ChangeState.OPEN and (change.proved_at is not None or now - change.asked_at < PROVED_WITHIN)


def may_be_taken_back(change: AddressChangeRow, now: datetime) -> bool:
    """Whether the owner of the old address can still take the games back."""
    return change.state is ChangeState.DONE and change.ended_at is not None and now - change.ended_at < UNDONE_WITHIN


def under_way(session: Session, player_id: int, now: datetime) -> AddressChangeRow | None:
    """The player's pending address change; None if there is none."""
    own = select(AddressChangeRow).where(AddressChangeRow.player_id == player_id)
    found = session.exec(own.where(AddressChangeRow.state == ChangeState.OPEN)).first()
    return found if found and is_under_way(found, now) else None


def change_of(session: Session, link: AnyLink) -> AddressChangeRow:
    """The address change of the link. Raises LinkInvalid if there is none."""
    change = session.get(AddressChangeRow, link.change_id)
    if change is None:
        raise LinkInvalid
    return change


def player_who_left(session: Session, address: str, now: datetime) -> PlayerRow | None:
    """The player whose address this was until a change that the owner of the address can still undo; None if nobody."""
    left = select(PlayerRow).where(AddressChangeRow.player_id == PlayerRow.id, AddressChangeRow.old_address == address)
    done = left.where(AddressChangeRow.state == ChangeState.DONE, col(AddressChangeRow.ended_at) > now - UNDONE_WITHIN)
    return session.exec(done).first()


def addresses_of(session: Session, player: PlayerRow, *, only_agreed: bool = False) -> Collection[str]:
    """The addresses that are the player's, and those that were, unless somebody else plays under them now.

    `only_agreed`: without those that never answered when the player left them. Their owner may be another person.
    """
    left = select(AddressChangeRow.old_address).where(AddressChangeRow.player_id == player.id)
    left = left.where(AddressChangeRow.state == ChangeState.DONE, AddressChangeRow.old_address != "")
    if only_agreed:
        left = left.where(col(AddressChangeRow.agreed_at).is_not(None))
    is_taken = exists().where(col(PlayerRow.address) == AddressChangeRow.old_address)
    return {player.address, *session.exec(left.where(not_(is_taken)))}


def forget_old(session: Session, now: datetime) -> None:
    """Deletes the addresses of changes that ended before KEPT_FOR, when none can be undone any more. The rows stay."""
    old = (col(AddressChangeRow.ended_at) < now - KEPT_FOR, col(AddressChangeRow.old_address) != "")
    session.exec(update(AddressChangeRow).where(*old).values(old_address="", new_address=""))


def masked(address: str) -> str:
    """The address in a form that only somebody who knows it recognises: "e***@example.org"."""
    name, _, domain = address.rpartition("@")
    return f"{name[:1]}***@{domain}"


def ready(session: Session, now: datetime, most: int = SWEEP_LIMIT) -> Sequence[int]:
    """The ids of at most `most` open changes whose wait is over, oldest first; some of them need only be dropped."""
    waiting = select(AddressChangeRow.id).where(_OPEN, col(AddressChangeRow.ready_at) <= now)
    found = session.exec(waiting.order_by(col(AddressChangeRow.ready_at)).limit(most))
    return [change_id for change_id in found if change_id is not None]


# The addresses besides their own from which a player's answers count, once they have said so at their own.
# An answer from any other address plays nothing. Its player hears of it once, and may add the address: by the link in
# that mail, or by answering it. What they said counts as long as they keep the address at which they said it, and ends
# with whatever else an intruder might have (`access.end_all_access`).

AT_MOST = 3  # addresses of which a player hears within a day
WITHIN = timedelta(days=1)


def counting(session: Session, player: PlayerRow) -> Collection[AddressChangeRow]:
    """The addresses from which the player's answers count, besides their own, in the order in which they were heard."""
    return [change for change in _beside(session, player) if change.state is ChangeState.COUNTS]


def all_of(session: Session, player: PlayerRow) -> frozenset[str]:
    """Every address from which the player's answers count."""
    return frozenset({player.address, *(change.new_address for change in counting(session, player))})


def hear(runtime: Runtime, player_id: int, sender: str, now: datetime) -> None:
    """Queues the mail to a player whose letter was answered from the address `sender`: is it theirs?

    Once for each address, for a few a day, and only for one that we could write to.
    """
    try:
        address = read_address(sender)
    except BadField:
        return
    with runtime.database.writing() as session:
        player = locked_player(session, player_id)
        known = _beside(session, player)
        is_known = mailbox_of(address) in map(mailbox_of, (player.address, *(one.new_address for one in known)))
        if is_known or sum(change.asked_at > now - WITHIN for change in known) >= AT_MOST:
            return
        change = new_change(player, address, now)
        change.state, change.ended_at = ChangeState.HEARD, now  # so that it is forgotten like one that has ended
        session.add(change)
        session.flush()
        kind = LetterKind.ANSWERED_FROM
        about_accounts.queue_address_change(session, runtime, kind, change, player.address, now)
    runtime.bell.deliver()


def decide(runtime: Runtime, link: OtherAddressLink, now: datetime, *, counts: bool) -> AddressChangeRow:
    """Lets answers from the address of the link count, or not, for the player at whose address the link is.

    Returns the row as it stands then: unchanged once the player has moved, or the address is forgotten. Idempotent.
    Raises LinkInvalid if there is no such row.
    """
    with runtime.database.writing() as session:
        change = change_of(session, link)
        player = locked_player(session, change.player_id)
        session.refresh(change)
        if may_decide(change, player):
            note_act(player, now)
            change.state = ChangeState.COUNTS if counts else ChangeState.HEARD
            change.ended_at = None if counts else now
    return change


def remove(runtime: Runtime, link: PreferencesLink, address: str, now: datetime) -> None:
    """Lets answers from an address count no more. Raises LinkInvalid or LinkExpired."""
    with runtime.database.writing() as session:
        player = check_player(link, locked_player(session, link.player_id))
        note_act(player, now)
        for change in counting(session, player):
            if change.new_address == address:
                change.state, change.ended_at = ChangeState.HEARD, now


def may_decide(change: AddressChangeRow, player: PlayerRow) -> bool:
    """Whether the mail about the address went to the player's address of today, and the address is still known."""
    return change.state in BESIDE and change.old_address == player.address and change.new_address != ""


def _beside(session: Session, player: PlayerRow) -> list[AddressChangeRow]:
    own = select(AddressChangeRow).where(AddressChangeRow.player_id == player.id).order_by(col(AddressChangeRow.id))
    return [change for change in session.exec(own) if may_decide(change, player)]
