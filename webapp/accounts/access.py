"""Ends access to a player's games: sign-ins, links, devices, answers by mail.

Three events end access, each more of it than the one before: a change of address, signing out everywhere, and taking
the games back from an intruder. `webapp.games.record.links` lists which links each event ends. Unless a function says
otherwise, its caller holds the transaction and has called `lock_player_and_games`.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, func, or_, select, update

from webapp.accounts import devices, sign_ins
from webapp.accounts.address_changes import BESIDE
from webapp.core.runtime import Runtime
from webapp.core.tokens import LinkInvalid
from webapp.games.clock.presence import note_act
from webapp.games.record import rows
from webapp.games.record.changing import Transaction
from webapp.models import (
    AddressChangeRow,
    ChangeState,
    GameRow,
    LetterRow,
    PlayerRow,
    SeatRow,
    TableRow,
    TableState,
)
from webapp.outbox import turn_mail


def sign_out_everywhere(runtime: Runtime, player_id: int, now: datetime) -> None:
    """Ends every sign-in of the player and every link that our pages made, deletes all devices, drops address changes.

    One transaction of its own. Links in mails about games still work. Raises LinkInvalid if there is no such player.
    """
    with runtime.database.writing() as session:
        player, _ = lock_player_and_games(session, player_id)
        note_act(player, now)
        end_page_access(session, player)
        drop_changes(session, player_id, now)
        devices.forget_all(session, player)


def lock_player_and_games(session: Session, player_id: int) -> tuple[PlayerRow, Sequence[GameRow]]:
    """Locks and returns the player, and the running games at their tables. Raises LinkInvalid if there is none."""
    at = select(SeatRow.table_id).join(TableRow).where(_is_own(player_id))
    table_ids = session.exec(at.where(TableRow.state != TableState.OVER)).all()
    games = rows.lock_games(session, table_ids, player_id)
    player = session.get(PlayerRow, player_id)
    if player is None:
        raise LinkInvalid
    return player, games


def end_page_access(session: Session, player: PlayerRow) -> None:
    """Ends every sign-in, every sign-in link, every link that our pages made, and every link to the preferences.

    No browser is known as the player's any more: the next in which they play is the first one.
    """
    sign_ins.end_all(session, player.id)
    player.sign_ins += 1
    player.generation += 1
    player.browser_at = None
    own = _is_own(player.id)
    session.exec(update(SeatRow).where(own).values(visits=col(SeatRow.visits) + 1))


def end_all_access(session: Session, player: PlayerRow, now: datetime) -> None:
    """Ends all access: sign-ins, every link, answers to mails that were sent, devices, pending address changes, and
    answers from other addresses.
    """
    end_page_access(session, player)
    player.links += 1
    own = _is_own(player.id)
    session.exec(update(SeatRow).where(own).values(links=col(SeatRow.links) + 1))
    player.letters_lost = session.exec(select(func.max(LetterRow.id))).one() or 0
    devices.forget_all(session, player)
    drop_changes(session, player.id, now, (ChangeState.OPEN, *BESIDE))


def ask_again(transaction: Transaction, player_id: int, games: Sequence[GameRow], *, with_friends: bool) -> None:
    """Mails once more what waits for the player, of whose running games these are.

    The links of the earlier mail are dead, or the mail went to another address. `with_friends`: a friend who plays for
    the player gets theirs again, too, because their links had the same number, and are dead.
    """
    session, runtime, now = transaction.session, transaction.runtime, transaction.now
    session.flush()
    seats = [seat for row in games for seat in transaction.game(row.id).seats]
    friends = {seat.player_id for seat in seats if with_friends and seat.stands_in_for == player_id}
    for one in sorted({player_id, *(friend for friend in friends if friend)}):
        turn_mail.mail_now(session, runtime, session.get_one(PlayerRow, one), now)


def drop_changes(
    session: Session, player_id: int, now: datetime, states: Sequence[ChangeState] = (ChangeState.OPEN,)
) -> None:
    """Drops every address change of the player that is in one of the `states`: by default, that is pending."""
    these = (col(AddressChangeRow.player_id) == player_id, col(AddressChangeRow.state).in_(states))
    session.exec(update(AddressChangeRow).where(*these).values(state=ChangeState.DROPPED, ended_at=now))


def _is_own(player_id: int) -> ColumnElement[bool]:
    """Selects the seats that the player plays, and those of theirs that somebody plays for them."""
    return or_(col(SeatRow.player_id) == player_id, col(SeatRow.stands_in_for) == player_id)
