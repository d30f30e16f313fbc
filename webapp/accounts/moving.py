"""A player's move to another address: asked for, proved, agreed to, waited for, done, refused, taken back.

The link that leads here stands in every mail, and people forward mails; so it is not enough. The owner of the new
address proves it, and the owner of the old one agrees: by having just signed in with it, or by the mail that we send
there. Where the old address says nothing, the move is done after a delay, within which it is asked twice.

The owner of the old address can take the games back for a while, whatever became of them since; so long nobody else
gets a player of that address. Each step is one transaction on the locked player, and doing it twice is doing it once.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

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
from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.core.tokens import (
    AddressLink,
    LinkExpired,
    LinkInvalid,
    NewAddressLink,
    OldAddressLink,
    PreferencesLink,
    TakeBackLink,
)
from webapp.games.links import check_player
from webapp.models import AddressChangeRow, ChangeState, GameRow, LetterKind, PlayerRow
from webapp.outbox import bounces, letters

log = logging.getLogger(__name__)

TRIED_AGAIN_AFTER = timedelta(hours=1)
UNDO = -1  # in place of the number of sign-ins, in links of the first version to somebody who has lost an address
Step = Callable[[Session, AddressChangeRow, PlayerRow, Sequence[GameRow]], None]


class AddressTaken(Exception):
    """The new address is that of another player."""


def ask(runtime: Runtime, link: PreferencesLink, address: str, sign_in_id: int | None, now: datetime) -> None:
    """Owes the mails that a move to `address` begins with; until they are answered nothing changes.

    `sign_in_id` is the sign-in of the browser that asks: a fresh one agrees for the old address. A move that was asked
    for before is dropped. Whether somebody else plays under the address is not told.

    Raises Refused where it is the player's already, LinkInvalid where there is no such player, and
    LinkExpired where the link was ended.
    """
    with runtime.database.writing() as session:
        player = check_player(link, _locked(session, link.player_id))
        if player.address == address:
            raise Refused("Your mails come to this address already.")
        player.seen_at = now
        access.drop_changes(session, link.player_id, now)
        change = new_change(player, address, now)
        if sign_ins.is_fresh(session, sign_in_id, link.player_id, now):
            change.agreed_at = now
        session.add(change)
        session.flush()
        letters.queue_about_change(session, runtime, LetterKind.NEW_ADDRESS, change, address, now)
        if change.agreed_at is None:
            asked, old, at = LetterKind.ADDRESS_ASKED, player.address, change.ready_at - REMINDED_BEFORE
            letters.queue_about_change(session, runtime, asked, change, old, now)
            letters.queue_about_change(session, runtime, asked, change, old, at, again=True)
    runtime.bell.deliver()


def withdraw(runtime: Runtime, link: PreferencesLink, now: datetime) -> None:
    """Stops the move that is under way, if there is one. Raises LinkInvalid or LinkExpired."""
    with runtime.database.writing() as session:
        check_player(link, _locked(session, link.player_id)).seen_at = now
        access.drop_changes(session, link.player_id, now)


def prove(runtime: Runtime, link: NewAddressLink, now: datetime) -> AddressChangeRow:
    """The owner of the new address has said yes. Returns how the move stands then.

    Raises LinkInvalid where there is none, AddressTaken where somebody else plays under that address.
    """

    def step(session: Session, change: AddressChangeRow, player: PlayerRow, games: Sequence[GameRow]) -> None:
        if not is_under_way(change, now):
            return
        _check_free(session, change, now)
        change.proved_at = change.proved_at or now
        if change.agreed_at is not None or change.ready_at <= now:
            player.seen_at = now
            _finish(session, runtime, change, player, games, now)

    return _change(runtime, link, step)


def agree(runtime: Runtime, link: OldAddressLink, now: datetime) -> AddressChangeRow:
    """The owner of the old address has said yes. Returns how the move stands then.

    Where somebody else plays under the new address by now, it is dropped. Raises LinkInvalid where there is no move.
    """

    def step(session: Session, change: AddressChangeRow, player: PlayerRow, games: Sequence[GameRow]) -> None:
        if not is_under_way(change, now):
            return
        player.seen_at = now
        change.agreed_at = change.agreed_at or now
        if change.proved_at is not None:
            _finish_or_drop(session, runtime, change, player, games, now)

    return _change(runtime, link, step)


def refuse(runtime: Runtime, link: OldAddressLink, now: datetime) -> AddressChangeRow:
    """The owner of the old address has said no: the move is off, and all access that somebody else may have ends.

    Returns how the move stands then; nothing happens once it is done. Raises LinkInvalid where there is none.
    """

    def step(session: Session, change: AddressChangeRow, player: PlayerRow, games: Sequence[GameRow]) -> None:
        is_off = change.state in (ChangeState.OPEN, ChangeState.DROPPED)
        if not is_off or player.address != change.old_address:
            return
        change.state, change.ended_at = ChangeState.REFUSED, now
        player.seen_at = now
        _start_afresh(session, runtime, player, games, now)

    return _change(runtime, link, step)


def take_back(runtime: Runtime, link: TakeBackLink, now: datetime) -> AddressChangeRow:
    """The owner of the old address has the games again, and all access that somebody else has to them ends.

    What became of them since is undone as well, if they were moved on. Returns how the move stands then. Raises
    LinkInvalid where there is none, AddressTaken where somebody else plays under the old address.
    """

    def step(session: Session, change: AddressChangeRow, player: PlayerRow, games: Sequence[GameRow]) -> None:
        if not may_be_taken_back(change, now):
            return
        later = (col(AddressChangeRow.player_id) == player.id, col(AddressChangeRow.id) >= change.id)
        done = col(AddressChangeRow.state) == ChangeState.DONE
        _take_address(session, player, change.old_address)
        session.exec(update(AddressChangeRow).where(*later, done).values(state=ChangeState.UNDONE))
        bounces.clear(session, player, now)
        player.seen_at = now
        _start_afresh(session, runtime, player, games, now)

    return _change(runtime, link, step)


def take_back_by_first_version(runtime: Runtime, link: AddressLink, now: datetime) -> PlayerRow:
    """The same for a move of before there were rows for them. Returns the player.

    Raises LinkInvalid where there is no such player, LinkExpired where anything has ended access to the games since,
    or the link only proves an address, and AddressTaken.
    """
    with runtime.database.writing() as session:
        player, games = access.lock_games(session, link.player_id)
        check_first_version(link, player)
        if player.address != link.address:
            _take_address(session, player, link.address)
            bounces.clear(session, player, now)
            player.seen_at = now
            _start_afresh(session, runtime, player, games, now)
    _ring(runtime)
    return player


def check_first_version(link: AddressLink, player: PlayerRow | None) -> PlayerRow:
    """The player of a link of the first version, if it still opens something. Raises LinkInvalid or LinkExpired."""
    if player is None:
        raise LinkInvalid
    if player.address != link.address and (link.sign_ins != UNDO or player.generation != 0):
        raise LinkExpired
    return player


def move_ready(runtime: Runtime, now: datetime) -> int:
    """Does every move that has waited long enough for its old address. Returns how many it saw to.

    Any number of workers may do so at once: each move is done under the lock of its player, if it is still open.
    """
    with runtime.database.reading() as session:
        found = ready(session, now)
    for change_id in found:
        try:
            _move_one(runtime, change_id, now)
        except Exception:  # one that cannot be done must not hold up the others
            log.exception("the move %d could not be done", change_id)
            with runtime.database.writing() as session:
                session.get_one(AddressChangeRow, change_id).ready_at = now + TRIED_AGAIN_AFTER
    if found:
        _ring(runtime)
    return len(found)


def _change(runtime: Runtime, link: AnyLink, step: Step) -> AddressChangeRow:
    """One transaction on a move: `step`, with the player and their games locked."""
    with runtime.database.reading() as session:
        player_id = change_of(session, link).player_id
    with runtime.database.writing() as session:
        player, games = access.lock_games(session, player_id)
        change = change_of(session, link)
        step(session, change, player, games)
        session.flush()
        session.refresh(change)
    _ring(runtime)
    return change


def _move_one(runtime: Runtime, change_id: int, now: datetime) -> None:
    """A move whose time has come: done, or dropped where its new address was never proved, or is taken."""

    def step(session: Session, change: AddressChangeRow, player: PlayerRow, games: Sequence[GameRow]) -> None:
        if change.state is not ChangeState.OPEN or change.ready_at > now:
            return
        if change.proved_at is not None:
            _finish_or_drop(session, runtime, change, player, games, now)
        else:
            change.state, change.ended_at = ChangeState.DROPPED, now

    _change(runtime, NewAddressLink(change_id), step)


def _finish(
    session: Session,
    runtime: Runtime,
    change: AddressChangeRow,
    player: PlayerRow,
    games: Sequence[GameRow],
    now: datetime,
) -> None:
    """The player gets their mails at the new address from now on; the old one is told how to take the games back."""
    assert player.id is not None
    _check_free(session, change, now)
    _take_address(session, player, change.new_address)
    change.state, change.ended_at = ChangeState.DONE, now
    bounces.clear(session, player, now)
    access.end_page_access(session, player)
    letters.queue_about_change(session, runtime, LetterKind.ADDRESS_CHANGED, change, change.old_address, now)
    access.ask_again(session, runtime, player.id, games, now)


def _finish_or_drop(
    session: Session,
    runtime: Runtime,
    change: AddressChangeRow,
    player: PlayerRow,
    games: Sequence[GameRow],
    now: datetime,
) -> None:
    """The same while nobody is at the new address, which is told; dropped where somebody else plays under it."""
    try:
        _finish(session, runtime, change, player, games, now)
    except AddressTaken:
        change.state, change.ended_at = ChangeState.DROPPED, now
    else:
        letters.queue_about_change(session, runtime, LetterKind.ADDRESS_MOVED, change, change.new_address, now)


def _start_afresh(
    session: Session, runtime: Runtime, player: PlayerRow, games: Sequence[GameRow], now: datetime
) -> None:
    """Nobody has access to the games any more; what is asked now goes to the player's address with new links."""
    assert player.id is not None
    access.end_all_access(session, player, now)
    access.ask_again(session, runtime, player.id, games, now)


def _check_free(session: Session, change: AddressChangeRow, now: datetime) -> None:
    """Raises AddressTaken where another player has the new address, or may still take their games back to it."""
    holder = session.exec(select(PlayerRow).where(PlayerRow.address == change.new_address)).first()
    holder = holder or player_who_left(session, change.new_address, now)
    if holder is not None and holder.id != change.player_id:
        raise AddressTaken


def _take_address(session: Session, player: PlayerRow, address: str) -> None:
    """Raises AddressTaken where somebody has just been faster."""
    try:
        with session.begin_nested():
            player.address = address
            session.flush()
    except IntegrityError:
        raise AddressTaken from None


def _locked(session: Session, player_id: int) -> PlayerRow | None:
    return session.get(PlayerRow, player_id, with_for_update={"key_share": True}, populate_existing=True)


def _ring(runtime: Runtime) -> None:
    """Wakes a worker for the mails; the sweep finds a game that a robot has to play in."""
    runtime.bell.deliver()
