"""Who can get at a player's games, and how that ends: sign-ins, links, devices, answers by mail.

Three things end it, each more: another address, signing out everywhere, and taking the games back from an intruder.
What dies with each stands in `webapp.games.links`. The caller holds the transaction, and has locked by `lock_games`.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, func, select, update

from webapp.accounts import devices, sign_ins
from webapp.core.runtime import Runtime
from webapp.core.tokens import LinkInvalid
from webapp.games import store
from webapp.games.presence import lock_players
from webapp.games.store import table_seats
from webapp.models import (
    AddressChangeRow,
    ChangeState,
    GameRow,
    GameState,
    LetterRow,
    PlayerRow,
    SeatRow,
    TableRow,
    TableState,
)
from webapp.outbox import questions


def sign_out_everywhere(runtime: Runtime, player_id: int, now: datetime) -> None:
    """Ends every sign-in of the player and every link that our pages have made, forgets all devices, stops a move.

    Links in mails about games work on. Raises LinkInvalid where there is no such player.
    """
    with runtime.database.writing() as session:
        player, _ = lock_games(session, player_id)
        player.seen_at = now
        end_page_access(session, player)
        drop_changes(session, player_id, now)
        devices.forget_all(session, player)


def lock_games(session: Session, player_id: int) -> tuple[PlayerRow, Sequence[GameRow]]:
    """The player and the games that they are in now, all locked in the order that everybody keeps to.

    Raises LinkInvalid where there is no such player.
    """
    at = select(SeatRow.table_id).join(TableRow).where(SeatRow.player_id == player_id)
    table_ids = session.exec(at.where(TableRow.state != TableState.OVER)).all()
    store.lock_tables(session, table_ids)
    running = select(GameRow).where(col(GameRow.table_id).in_(table_ids), GameRow.state == GameState.PLAYING)
    games = session.exec(running.order_by(col(GameRow.id)).with_for_update(key_share=True)).all()
    lock_players(session, [seat for table_id in table_ids for seat in table_seats(session, table_id)], [player_id])
    session.expire_all()  # as all of it is now that nobody else writes
    player = session.get(PlayerRow, player_id)
    if player is None:
        raise LinkInvalid
    return player, games


def end_page_access(session: Session, player: PlayerRow) -> None:
    """Ends every sign-in, every sign-in link, and every link that our pages have made or that leads to preferences."""
    assert player.id is not None
    sign_ins.end_all(session, player.id)
    player.sign_ins += 1
    player.generation += 1
    own = col(SeatRow.player_id) == player.id
    session.exec(update(SeatRow).where(own).values(visits=col(SeatRow.visits) + 1))


def end_all_access(session: Session, player: PlayerRow, now: datetime) -> None:
    """Ends everything: what `end_page_access` does, links in mails, answers to mails, devices, moves under way."""
    assert player.id is not None
    end_page_access(session, player)
    player.links += 1
    own = col(SeatRow.player_id) == player.id
    session.exec(update(SeatRow).where(own).values(links=col(SeatRow.links) + 1))
    player.letters_lost = session.exec(select(func.max(LetterRow.id))).one() or 0
    devices.forget_all(session, player)
    drop_changes(session, player.id, now)


def ask_again(session: Session, runtime: Runtime, player_id: int, games: Sequence[GameRow], now: datetime) -> None:
    """Owes the player the question of each of these games anew: what was mailed before is dead, or lies elsewhere."""
    session.flush()
    for game in games:
        assert game.id is not None
        stored = store.load(session, game.id, lock=True)
        for seat in (seat for seat in stored.seats if seat.player_id == player_id):
            questions.queue_anew(session, runtime, stored, seat, now)


def drop_changes(session: Session, player_id: int, now: datetime) -> None:
    """Stops every move of the player to another address that is still under way."""
    is_open = (col(AddressChangeRow.player_id) == player_id, col(AddressChangeRow.state) == ChangeState.OPEN)
    session.exec(update(AddressChangeRow).where(*is_open).values(state=ChangeState.DROPPED, ended_at=now))
