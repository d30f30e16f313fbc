"""The addresses besides their own from which a player's answers count, once they have said so at their own.

An answer from any other address plays nothing. Its player hears of it once, and may add the address: by the link in
that mail, or by answering it. What they said counts as long as they keep the address at which they said it, and ends
with whatever else an intruder might have (`access.end_all_access`).
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from webapp.accounts.address_changes import BESIDE, change_of, new_change
from webapp.core.addresses import mailbox_of
from webapp.core.runtime import Runtime
from webapp.core.tokens import OtherAddressLink, PreferencesLink
from webapp.forms.fields import BadField, read_address
from webapp.games.clock.presence import note_act
from webapp.games.record.links import check_player
from webapp.games.record.rows import locked_player
from webapp.models import AddressChangeRow, ChangeState, LetterKind, PlayerRow
from webapp.outbox import about_accounts

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
