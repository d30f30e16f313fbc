"""Reads the rows of a table, of its seats and of one of its games, and locks them.

Without their turns: `store` makes a game of both.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import bindparam
from sqlalchemy.orm import joinedload
from sqlmodel import Session, col, select

from hearts.rules import Rules
from webapp.core.tokens import LinkInvalid
from webapp.games.record.seats import people_of
from webapp.models import GameRow, GameState, PlayerRow, SeatRow, SeatState, TableRow, TableState

_HELD = "players"  # in a session's notes: it holds rows only weakly, and would query them again
# Built once: every page and turn reads these.
_BOTH = select(TableRow, GameRow).join(GameRow).where(GameRow.id == bindparam("game"))
_SEATS = select(SeatRow).where(col(SeatRow.table_id).in_(bindparam("tables", expanding=True)))
_SEATS = _SEATS.order_by(col(SeatRow.table_id), col(SeatRow.seat)).options(joinedload(SeatRow.player))  # type: ignore[arg-type]
_NEWEST_SEATS = _SEATS.execution_options(populate_existing=True)


class TableRows(NamedTuple):
    """The rows of a table and of one of its games; before the first one there is none."""

    table: TableRow
    seats: Sequence[SeatRow]  # in order
    game: GameRow | None

    @property
    def of_game(self) -> GameRow:
        """The row of the game. There must be one."""
        assert self.game is not None
        return self.game


def table_rules(table: TableRow) -> Rules:
    return table.rules


def table_seats(session: Session, table_id: int) -> Sequence[SeatRow]:
    """The table's seats, in order."""
    return seats_of_all(session, [table_id])


def seats_of_all(session: Session, table_ids: Collection[int]) -> Sequence[SeatRow]:
    """The seats of these tables in order, each with its player: pages and mails need them all."""
    return session.exec(_SEATS, params={"tables": table_ids}).all()


def lock_tables(session: Session, table_ids: Iterable[int]) -> None:
    """Locks these tables in a fixed order."""
    tables = select(TableRow).where(col(TableRow.id).in_(table_ids)).order_by(col(TableRow.id))
    session.exec(tables.with_for_update(key_share=True).execution_options(populate_existing=True)).all()


def newest_rows(session: Session, table_id: int) -> TableRows | None:
    """The table with its newest game, without its turns; None if there is no such table."""
    table = session.get(TableRow, table_id)
    if table is None:
        return None
    games = select(GameRow).where(GameRow.table_id == table_id).order_by(col(GameRow.number).desc())
    return TableRows(table, table_seats(session, table_id), session.exec(games.limit(1)).first())


def game_rows(session: Session, game_id: int) -> TableRows:
    """A game with its table. Raises LookupError if there is no such game."""
    found = session.exec(_BOTH, params={"game": game_id}).first()
    if found is None:
        raise LookupError(f"no game {game_id}")
    table, game = found
    return TableRows(table, table_seats(session, table.id), game)


def locked_rows(session: Session, game_id: int) -> TableRows:
    """Does the same as `game_rows`, but locks the table and its game; only the holder of these locks changes the
    seats.

    The locks leave out the keys: inserting a row that refers to one of them need not wait.
    """
    both = select(TableRow, GameRow).join(GameRow).where(GameRow.id == game_id)
    newest = both.with_for_update(of=[TableRow, GameRow], key_share=True).execution_options(populate_existing=True)
    found = session.exec(newest).first()
    if found is None:
        raise LookupError(f"no game {game_id}")
    table, game = found
    return TableRows(table, session.exec(_NEWEST_SEATS, params={"tables": [table.id]}).all(), game)


def lock_players(session: Session, seats: Sequence[SeatRow], others: Collection[int] = ()) -> None:
    """Locks the seats' players in a fixed order, so that no other transaction queues mails for them meanwhile.

    It also locks the players who are offered one of the seats, the owners of lent seats, and `others`, who are about to
    get a seat.

    A transaction that changes a game locks the game first; one that changes a player locks nothing before the player.
    """
    theirs = set().union(*map(people_of, seats))
    ids = [*others, *theirs]
    # Not their keys: inserting a row that refers to a player need not wait.
    players = select(PlayerRow).where(col(PlayerRow.id).in_(ids)).order_by(col(PlayerRow.id))
    newest = players.with_for_update(key_share=True).execution_options(populate_existing=True)
    session.info[_HELD] = session.exec(newest).all()


def locked_player(session: Session, player_id: int) -> PlayerRow:
    """Locks and returns the player. Raises LinkInvalid if there is none."""
    player = session.get(PlayerRow, player_id, with_for_update={"key_share": True}, populate_existing=True)
    if player is None:
        raise LinkInvalid
    return player


def lock_games(session: Session, table_ids: Sequence[int], player_id: int) -> Sequence[GameRow]:
    """Locks these tables with their running games and their players, and that player; of a table that is over, only
    itself. Returns the games.
    """
    lock_tables(session, table_ids)
    running = select(GameRow).where(col(GameRow.table_id).in_(table_ids), GameRow.state == GameState.PLAYING)
    games = session.exec(running.order_by(col(GameRow.id)).with_for_update(key_share=True)).all()
    seats = select(SeatRow).join(TableRow).where(col(TableRow.id).in_(table_ids), TableRow.state != TableState.OVER)
    lock_players(session, session.exec(seats).all(), [player_id])
    session.expire_all()  # what was read before the locks may be stale
    return games


# Guests who came by the link that a host sends by messenger, at a table whose game has not begun.

READY = {SeatState.HOST, SeatState.ACCEPTED, SeatState.ROBOT}


def waits_for_host(table: TableRow, seats: Sequence[SeatRow]) -> bool:
    """Whether everybody is there, and the host, who has not seen yet who came by their link, has to deal."""
    is_full = all(seat.state in READY for seat in seats)
    return table.state is TableState.INVITING and is_full and any(map(is_guest, seats))


def is_guest(seat: SeatRow) -> bool:
    """Whether somebody sits there who came by the host's link."""
    return seat.by_link and seat.state is SeatState.ACCEPTED
