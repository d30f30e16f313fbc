"""A player's running games: where something is asked of her, the most urgent first, and who is awaited in the others.

Of each game only the hand being played is read, all of them by one query, so that a player of many games waits no
longer than one of few. Totals and cards are for whoever loads the game.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter, itemgetter

from sqlmodel import Session, col, func, select

from hearts.game import Game, replay_hand
from hearts.rules import Rules
from hearts.seats import Seat
from hearts.turns import parse_turn
from webapp.core.tokens import Signer, TurnLink
from webapp.games.due import Due, due_of
from webapp.games.store import table_rules
from webapp.models import GameRow, GameState, SeatRow, TableRow, TurnRow


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A game that a player has a seat in. `hand` is the one being played, and knows of no other."""

    row: GameRow
    table: TableRow
    seats: tuple[SeatRow, ...]
    mine: SeatRow
    hand: Game

    @property
    def seat(self) -> Seat:
        return Seat(self.mine.seat)

    @property
    def due(self) -> Due | None:
        """What is asked of her; None where nothing is, or a robot answers for her because she is away."""
        return None if self.mine.away else due_of(self.hand, self.seat)

    def turn_link(self, due: Due) -> TurnLink:
        """The link by which she answers `due`."""
        return TurnLink(_id(self.row), self.seat, due.hand, due.what, self.mine.player_id or 0, self.mine.links)

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.seats]


@dataclass(frozen=True, slots=True)
class NextGame:
    """Where a player may go on once she has played: the most urgent of what is asked of her elsewhere."""

    link: str
    words: str  # "Table 7F3K, trick 5"
    more: int  # how many more wait for her


def running_games(session: Session, player_id: int) -> list[RunningGame]:
    """The games that the player has a seat in, those that wait for her first, the nearest deadline on top."""
    query = (
        select(GameRow, TableRow, SeatRow)
        .where(SeatRow.player_id == player_id, SeatRow.table_id == TableRow.id)
        .where(GameRow.table_id == TableRow.id, GameRow.state == GameState.PLAYING)
    )
    mine = session.exec(query).all()
    seats = table_seats_of(session, [seat.table_id for _, _, seat in mine])
    hands = _hands(session, {_id(row): table_rules(table) for row, table, _ in mine})
    games = [RunningGame(row, table, seats[seat.table_id], seat, hands[_id(row)]) for row, table, seat in mine]
    return sorted(games, key=_urgency)


def waiting_games(session: Session, player_id: int) -> list[RunningGame]:
    """Those in which something is asked of her now, the most urgent first; not those from which she is away."""
    return [game for game in running_games(session, player_id) if game.due]


def next_game(session: Session, signer: Signer, player_id: int, table_id: int) -> NextGame | None:
    """Where the player may go on from a table; None where nothing is asked of her at any other."""
    elsewhere = [game for game in waiting_games(session, player_id) if game.mine.table_id != table_id]
    if not elsewhere:
        return None
    first = elsewhere[0]
    assert first.due is not None
    words = f"Table {first.table.code}, {first.due.what}"
    return NextGame(signer.local_url(first.turn_link(first.due)), words, len(elsewhere) - 1)


def table_seats_of(session: Session, table_ids: Collection[int]) -> dict[int, tuple[SeatRow, ...]]:
    """The seats of each of these tables in their order."""
    rows = session.exec(
        select(SeatRow).where(col(SeatRow.table_id).in_(table_ids)).order_by(col(SeatRow.table_id), col(SeatRow.seat))
    )
    return {table_id: tuple(seats) for table_id, seats in groupby(rows, attrgetter("table_id"))}


def _hands(session: Session, rules: Mapping[int, Rules]) -> dict[int, Game]:
    """The hand being played in each of these games, which are named with their rules."""
    deals = (
        select(TurnRow.game_id, func.max(TurnRow.number).label("first"), func.count().label("hand"))
        .where(col(TurnRow.game_id).in_(list(rules)), TurnRow.turn["turn"].as_string() == "deal")
        .group_by(col(TurnRow.game_id))
        .subquery()
    )
    turns = (
        select(TurnRow.game_id, deals.c.hand, TurnRow.turn)
        .join(deals, deals.c.game_id == TurnRow.game_id)
        .where(TurnRow.number >= deals.c.first)
        .order_by(col(TurnRow.game_id), col(TurnRow.number))
    )
    return {
        game_id: replay_hand(rules[game_id], hand, (parse_turn(turn) for _, _, turn in played))
        for (game_id, hand), played in groupby(session.exec(turns), itemgetter(0, 1))
    }


def _urgency(game: RunningGame) -> tuple[bool, bool, str, int]:
    """What is asked before what is not, and without a deadline only after all that has one."""
    at = game.row.due_at
    return game.due is None, at is None, at.isoformat() if at else "", _id(game.row)


def _id(row: GameRow) -> int:
    assert row.id is not None
    return row.id
