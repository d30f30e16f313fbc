"""Carries out a player's change of address: asked for, proved, agreed to, waited for, done, refused, taken back.

Every mail contains a link to the preferences, and people forward mails; so that link alone cannot change the address.
The owner of the new address proves it, and the owner of the old one agrees: by a fresh sign-in, or by a link that we
mail there. If the old address does not answer, the change is done after a delay, within which we ask it twice.

For a while the owner of the old address can take the games back, even after further changes. Until then nobody else
can become the player of that address. Each step is one transaction on the locked player, and is idempotent.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select, update

from webapp.accounts import access, sign_ins
from webapp.accounts.address_changes import (
    REMINDED_BEFORE,
    AnyLink,
    change_of,
    is_under_way,
    may_be_taken_back,
    new_change,
    player_who_left,
    ready,
)
from webapp.core.database import TRIED_AGAIN_AFTER, one_by_one
from webapp.core.runtime import Runtime
from webapp.core.say import Refused, say
from webapp.core.tokens import (
    LinkInvalid,
    NewAddressLink,
    OldAddressLink,
    PreferencesLink,
    TakeBackLink,
)
from webapp.games.clock.presence import note_act
from webapp.games.record import changing
from webapp.games.record.changing import Transaction
from webapp.games.record.links import check_player
from webapp.games.record.rows import locked_player
from webapp.models import AddressChangeRow, ChangeState, GameRow, LetterKind, PlayerRow
from webapp.outbox import about_accounts, bounces


class AddressTaken(Exception):
    """The address belongs to another player."""


def request_change(
    runtime: Runtime, link: PreferencesLink, address: str, sign_in_id: int | None, now: datetime
) -> None:
    """Asks for an address change to `address`: drops the player's pending one, and queues the mails that confirm it.

    `sign_in_id` is the sign-in of the browser that asks: a fresh one agrees for the old address. The caller does not
    learn whether somebody else plays under `address`.

    Raises Refused if it is the player's address already, LinkInvalid if there is no such player, and LinkExpired if
    the player has ended the link.
    """
    with runtime.database.writing() as session:
        player = check_player(link, locked_player(session, link.player_id))
        if player.address == address:
            raise Refused(say("Your email comes to this address already."))
        note_act(player, now)
        access.drop_changes(session, link.player_id, now)
        change = new_change(player, address, now)
        if sign_ins.is_fresh(session, sign_in_id, link.player_id, now):
            change.agreed_at = now
        session.add(change)
        session.flush()
        about_accounts.queue_address_change(session, runtime, LetterKind.NEW_ADDRESS, change, address, now)
        if change.agreed_at is None:
            asked, old, at = LetterKind.ADDRESS_ASKED, player.address, change.ready_at - REMINDED_BEFORE
            about_accounts.queue_address_change(session, runtime, asked, change, old, now)
            about_accounts.queue_address_change(session, runtime, asked, change, old, at, again=True)
    runtime.bell.deliver()


def withdraw(runtime: Runtime, link: PreferencesLink, now: datetime) -> None:
    """Drops the player's pending address change, if there is one. Raises LinkInvalid or LinkExpired."""
    with runtime.database.writing() as session:
        note_act(check_player(link, locked_player(session, link.player_id)), now)
        access.drop_changes(session, link.player_id, now)


def prove(runtime: Runtime, link: NewAddressLink, now: datetime) -> AddressChangeRow:
    """Records that the owner of the new address has confirmed it. Returns the address change as it stands then.

    The change is done now if the old address has agreed or its time is up. Raises LinkInvalid if there is no such
    change, AddressTaken if somebody else plays under the new address.
    """
    with changing.games(runtime, now) as transaction:
        change, player, games = _locked(transaction.session, link)
        if not is_under_way(change, now):
            return change
        _check_free(transaction.session, change, now)
        change.proved_at = change.proved_at or now
        if change.agreed_at is not None or change.ready_at <= now:
            note_act(player, now)
            _finish(transaction, change, player, games)
    return change


def agree(runtime: Runtime, link: OldAddressLink, now: datetime) -> AddressChangeRow:
    """Records that the owner of the old address agrees. Returns the address change as it stands then.

    The change is done now if the new address is proved, and dropped if somebody else already plays under that address.
    Raises LinkInvalid if there is no such change.
    """
    with changing.games(runtime, now) as transaction:
        change, player, games = _locked(transaction.session, link)
        if not is_under_way(change, now):
            return change
        note_act(player, now)
        change.agreed_at = change.agreed_at or now
        if change.proved_at is not None:
            _finish_or_drop(transaction, change, player, games)
    return change


def refuse(runtime: Runtime, link: OldAddressLink, now: datetime) -> AddressChangeRow:
    """Refuses the address change for the owner of the old address, and ends all access that others may have.

    Returns the change as it stands then; a change that is done stays done. Raises LinkInvalid if there is none.
    """
    with changing.games(runtime, now) as transaction:
        change, player, games = _locked(transaction.session, link)
        may_be_refused = change.state in (ChangeState.OPEN, ChangeState.DROPPED)
        if not may_be_refused or player.address != change.old_address:
            return change
        change.state, change.ended_at = ChangeState.REFUSED, now
        note_act(player, now)
        _start_afresh(transaction, player, games)
    return change


def take_back(runtime: Runtime, link: TakeBackLink, now: datetime) -> AddressChangeRow:
    """Gives the games back to the owner of the old address, and ends all access that others have to them.

    Also undoes every later address change of the player. Returns the change as it stands then; it stays as it is once
    it is too late to undo it. Raises LinkInvalid if there is none, AddressTaken if another player has the old address.
    """
    with changing.games(runtime, now) as transaction:
        change, player, games = _locked(transaction.session, link)
        if not may_be_taken_back(change, now):
            return change
        session = transaction.session
        later = (col(AddressChangeRow.player_id) == player.id, col(AddressChangeRow.id) >= change.id)
        done = col(AddressChangeRow.state) == ChangeState.DONE
        _take_address(session, player, change.old_address)
        session.exec(update(AddressChangeRow).where(*later, done).values(state=ChangeState.UNDONE))
        bounces.clear(session, player, now)
        note_act(player, now)
        _start_afresh(transaction, player, games)
    return change


def apply_ready_changes(runtime: Runtime, now: datetime) -> int:
    """Does, or drops, every address change whose wait for the old address is over. Returns how many there were.

    Any number of workers may call this at once: each change is applied under the lock of its player, if still open.
    """
    with runtime.database.reading() as session:
        found = ready(session, now)
    do, put_off = partial(_apply_ready_change, runtime, now=now), partial(_put_off, runtime, now=now)
    one_by_one("change", found, do, put_off)
    return len(found)


def _put_off(runtime: Runtime, change_id: int, now: datetime) -> None:
    with runtime.database.writing() as session:
        session.get_one(AddressChangeRow, change_id).ready_at = now + TRIED_AGAIN_AFTER


def _locked(session: Session, link: AnyLink) -> tuple[AddressChangeRow, PlayerRow, Sequence[GameRow]]:
    """The address change of the link, its player and their games, locked. Raises LinkInvalid if there is none."""
    owner = select(AddressChangeRow.player_id).where(AddressChangeRow.id == link.change_id)
    player_id = session.exec(owner).first()
    if player_id is None:
        raise LinkInvalid
    player, games = access.lock_player_and_games(session, player_id)
    return change_of(session, link), player, games


def _apply_ready_change(runtime: Runtime, change_id: int, now: datetime) -> None:
    """Does a change whose wait is over; drops it if its new address was never proved, or is another player's."""
    with changing.games(runtime, now) as transaction:
        change, player, games = _locked(transaction.session, NewAddressLink(change_id))
        if change.state is not ChangeState.OPEN or change.ready_at > now:
            return
        if change.proved_at is not None:
            _finish_or_drop(transaction, change, player, games)
        else:
            change.state, change.ended_at = ChangeState.DROPPED, now


def _finish(transaction: Transaction, change: AddressChangeRow, player: PlayerRow, games: Sequence[GameRow]) -> None:
    """Sets the player's new address, and mails the old one how to take the games back. Raises AddressTaken."""
    session, runtime, now = transaction.session, transaction.runtime, transaction.now
    _check_free(session, change, now)
    _take_address(session, player, change.new_address)
    change.state, change.ended_at = ChangeState.DONE, now
    bounces.clear(session, player, now)
    access.end_page_access(session, player)
    about_accounts.queue_address_change(session, runtime, LetterKind.ADDRESS_CHANGED, change, change.old_address, now)
    access.ask_again(transaction, player.id, games, with_friends=False)


def _finish_or_drop(
    transaction: Transaction, change: AddressChangeRow, player: PlayerRow, games: Sequence[GameRow]
) -> None:
    """Does what `_finish` does while nobody looks at the new address, and so queues a mail there as well.

    Drops the change if another player has the new address.
    """
    try:
        _finish(transaction, change, player, games)
    except AddressTaken:
        change.state, change.ended_at = ChangeState.DROPPED, transaction.now
    else:
        session, runtime, kind = transaction.session, transaction.runtime, LetterKind.ADDRESS_MOVED
        about_accounts.queue_address_change(session, runtime, kind, change, change.new_address, transaction.now)


def _start_afresh(transaction: Transaction, player: PlayerRow, games: Sequence[GameRow]) -> None:
    """Ends all access to the games, and asks the player's open turns again at their address, with new links."""
    access.end_all_access(transaction.session, player, transaction.now)
    access.ask_again(transaction, player.id, games, with_friends=True)


def _check_free(session: Session, change: AddressChangeRow, now: datetime) -> None:
    """Raises AddressTaken if another player has the new address, or may still take their games back to it."""
    holder = session.exec(select(PlayerRow).where(PlayerRow.address == change.new_address)).first()
    holder = holder or player_who_left(session, change.new_address, now)
    if holder is not None and holder.id != change.player_id:
        raise AddressTaken


def _take_address(session: Session, player: PlayerRow, address: str) -> None:
    """Sets the player's address. Raises AddressTaken if another player has just got it."""
    try:
        with session.begin_nested():
            player.address = address
            session.flush()
    except IntegrityError:
        raise AddressTaken from None
