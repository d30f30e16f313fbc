"""Reads the rows of a table, of its seats and of one of its games, each with one statement, and locks them.

Without their turns: `store` makes a game of both.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from sqlalchemy import bindparam, null
from sqlmodel import Session, and_, col, select

from hearts.rules import Rules, parse_rules
from webapp.core.database import writes_alone
from webapp.core.snapshots import Finding, Prefetched, Snapshot
from webapp.core.statements import Statement
from webapp.models import GameRow, PlayerRow, SeatRow, TableRow, TalkRow

# What a statement finds for a seat: its table, a game of the table, itself, perhaps its player, a line of the talk.
_OfSeat = tuple[TableRow, GameRow | None, SeatRow, PlayerRow | None, int | None]
# Every page and every turn begins with these, and to build one anew takes longer than to run it.
_SEATS = select(SeatRow).where(SeatRow.table_id == bindparam("table_id")).order_by(col(SeatRow.seat))
_READER = and_(col(PlayerRow.id) == SeatRow.player_id, SeatRow.seat == bindparam("reader"))
# A line of the table's talk: whether there is one. Most tables are silent, and need then not be asked for their lines.
_LINE = select(TalkRow.id).where(TalkRow.table_id == SeatRow.table_id).limit(1).correlate(SeatRow).scalar_subquery()
_BY_SEAT = select(TableRow, GameRow, SeatRow, PlayerRow).order_by(col(SeatRow.seat))
_SEATS_OF_GAME = (
    _BY_SEAT.select_from(GameRow)
    .join(TableRow, col(TableRow.id) == GameRow.table_id)
    .join(SeatRow, col(SeatRow.table_id) == TableRow.id)
    .where(GameRow.id == bindparam("game_id"))
)
_WITH_READER = _SEATS_OF_GAME.outerjoin(PlayerRow, _READER)
# A game, its table and the player in the seat `reader`, once for each seat: one statement, for what all pages need.
_OF_GAME: Finding[_OfSeat] = Finding(_WITH_READER.add_columns(_LINE))
_NEWEST = (
    select(GameRow.id)
    .where(GameRow.table_id == bindparam("table_id"))
    .order_by(col(GameRow.number).desc())
    .limit(1)
    .scalar_subquery()
)
_OF_TABLE: Finding[_OfSeat] = Finding(
    _BY_SEAT.add_columns(_LINE)
    .select_from(TableRow)
    .join(SeatRow, col(SeatRow.table_id) == TableRow.id)
    .outerjoin(GameRow, col(GameRow.id) == _NEWEST)
    .outerjoin(PlayerRow, _READER)
    .where(col(TableRow.id) == bindparam("table_id"))
)
# These lock the table first, then its game, and then its players, whom nearly everybody locks next. Who had to wait for
# them reads their newest versions afterwards.
_LOCK_GAME = Statement(
    select(TableRow.id)
    .join(GameRow, col(GameRow.table_id) == TableRow.id)
    .where(GameRow.id == bindparam("game_id"))
    .with_for_update(of=[TableRow, GameRow], key_share=True)
)
_LOCK = Statement(
    select(PlayerRow.id)
    .join(SeatRow, col(SeatRow.player_id) == PlayerRow.id)
    .join(TableRow, col(TableRow.id) == SeatRow.table_id)
    .join(GameRow, col(GameRow.table_id) == TableRow.id)
    .where(GameRow.id == bindparam("game_id"))
    .order_by(col(PlayerRow.id))
    .with_for_update(of=[TableRow, GameRow, PlayerRow], key_share=True)
)
_WITH_PLAYERS = _SEATS_OF_GAME.outerjoin(PlayerRow, col(PlayerRow.id) == SeatRow.player_id)
_WITH_NEWEST_PLAYERS = _WITH_PLAYERS.execution_options(populate_existing=True)
# Not their keys: inserting a row that refers to a player need not wait.
_PLAYERS = (
    select(PlayerRow)
    .where(col(PlayerRow.id).in_(bindparam("ids", expanding=True)))
    .order_by(col(PlayerRow.id))
    .with_for_update(key_share=True)
    .execution_options(populate_existing=True)
)
_HELD = "players"  # in a session's notes: it holds rows only weakly, and would query them again

RULES_KEPT = 256  # most tables have those of a preset

IS_SILENT: Prefetched[bool] = Prefetched()  # by table: whether nothing was ever said there
_ROWS: Prefetched["TableRows"] = Prefetched()  # by game


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
    return _rules_of(tuple(table.rules.items()))


@lru_cache(RULES_KEPT)
def _rules_of(options: tuple[tuple[str, object], ...]) -> Rules:
    return parse_rules(dict(options))


def table_seats(session: Session, table_id: int) -> Sequence[SeatRow]:
    """The table's seats, in order."""
    return session.exec(_SEATS, params={"table_id": table_id}).all()


def lock_tables(session: Session, table_ids: Iterable[int]) -> None:
    """Locks these tables in a fixed order. Lock a table before its game and its players."""
    tables = select(TableRow).where(col(TableRow.id).in_(table_ids)).order_by(col(TableRow.id))
    session.exec(tables.with_for_update(key_share=True).execution_options(populate_existing=True)).all()


def newest_rows(session: Session, table_id: int, reader: int | None = None) -> TableRows | None:
    """The table with its newest game, without its turns; None if there is no such table. `reader` as in `game_rows`."""
    return _joined(session, _OF_TABLE.find(session, {"table_id": table_id, "reader": reader}))


def game_rows(session: Session, game_id: int, reader: int | None = None) -> TableRows:
    """A game with its table. A Snapshot also gets the row of the player in the seat `reader`. Raises LookupError."""
    if found := _ROWS.get(session, game_id):
        return found
    rows = _joined(session, _OF_GAME.find(session, {"game_id": game_id, "reader": reader}))
    if rows is None:
        raise LookupError(f"no game {game_id}")
    return rows


def locked_rows(session: Session, game_id: int) -> TableRows:
    """As `game_rows`, but locked, as are its players: `lock_players` after it mostly has nothing to do.

    The locks leave out the keys: inserting a row that refers to one of them need not wait.
    """
    held = None if writes_alone(session) else _lock(session, game_id)
    with_players = _WITH_NEWEST_PLAYERS if session.identity_map else _WITH_PLAYERS  # the latter refreshes no row
    found: Sequence[Any] = session.exec(with_players, params={"game_id": game_id}).all()
    # A seat may have got another player while this waited for the lock.
    session.info[_HELD] = [player for *_, player in found if player and (held is None or player.id in held)]
    if not found:
        raise LookupError(f"no game {game_id}")
    table, game, *_ = found[0]
    return TableRows(table, [seat for _, _, seat, *_ in found], game)


def _lock(session: Session, game_id: int) -> Collection[int]:
    """Locks a game with its table and its players, and returns the numbers of the players."""
    ids = [number for (number,) in _LOCK.rows(session, {"game_id": game_id})]
    if not ids:  # only robots have seats
        _LOCK_GAME.rows(session, {"game_id": game_id})
    return ids


def lock_players(session: Session, seats: Sequence[SeatRow], others: Collection[int] = ()) -> None:
    """Locks the seats' players in a fixed order, so that no other transaction queues mails for them meanwhile.

    It also locks the players who are offered one of the seats, the owners of lent seats, and `others`, who are about to
    get a seat.

    A transaction that changes a game locks the game first; one that changes a player locks nothing before the player.
    """
    theirs = {one for seat in seats for one in (seat.player_id, seat.offered_to, seat.stands_in_for)} - {None}
    ids = [*others, *theirs]
    held: Sequence[PlayerRow] = session.info.get(_HELD, ())
    if not {player.id for player in held}.issuperset(ids):
        session.info[_HELD] = session.exec(_PLAYERS, params={"ids": ids}).all()


def prefetch_rows(session: Session, game_ids: Collection[int]) -> Mapping[int, TableRows]:
    """Reads several games with their tables; `game_rows` of one of them then needs no statement in this snapshot."""
    found = defaultdict[int, list[_OfSeat]](list)
    if not game_ids:
        return {}
    names = _names(len(game_ids))
    for row in _of_games(len(game_ids)).find(session, dict(zip(names, game_ids, strict=True))):
        if game := row[1]:
            found[game.id].append(row)
    games = {game_id: rows for game_id, of_game in found.items() if (rows := _joined(session, of_game))}
    _ROWS.put(session, games)
    return games


@cache
def _of_games(games: int) -> Finding[_OfSeat]:
    """What finds so many games with their tables and seats; kept as those above."""
    return Finding(
        select(TableRow, GameRow, SeatRow)
        .add_columns(null(), _LINE)
        .select_from(GameRow)
        .join(TableRow, col(TableRow.id) == GameRow.table_id)
        .join(SeatRow, col(SeatRow.table_id) == TableRow.id)
        .where(col(GameRow.id).in_([bindparam(name) for name in _names(games)]))
        .order_by(col(SeatRow.seat))
    )


def _names(games: int) -> list[str]:
    return [f"game_{number}" for number in range(games)]


def _joined(session: Session, found: Iterable[_OfSeat]) -> TableRows | None:
    """The rows of a table that were found once for each seat; None if nothing was found."""
    by_seat = list(found)
    if not by_seat:
        return None
    table, game, _, _, line = by_seat[0]
    if isinstance(session, Snapshot):
        IS_SILENT.put(session, {table.id: line is None})
    return TableRows(table, [seat for _, _, seat, *_ in by_seat], game)
