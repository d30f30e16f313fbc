"""Rows to games and back: load a game by folding its turns, append a turn.

Only here are turn records written. Every caller holds a writing transaction and has loaded with `lock=True`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlmodel import Session, col, func, select

from hearts.game import Game, apply, replay
from hearts.rules import Rules, parse_rules
from hearts.seats import Seat
from hearts.turns import Deal, Turn, parse_turn, turn_mapping
from webapp.models import GameRow, SeatRow, SeatState, TableRow, TurnRow, Way


class Record(NamedTuple):
    """A turn record: what was played, by what way, and a robot's grounds where one chose."""

    turn: Turn
    way: Way
    choice: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """A game with its rows: what the pages, the mails and the path of a turn work on."""

    row: GameRow
    table: TableRow
    seats: Sequence[SeatRow]
    records: tuple[Record, ...]
    game: Game

    @property
    def id(self) -> int:
        assert self.row.id is not None
        return self.row.id

    def finished_turns(self) -> list[Turn]:
        """The turns of all hands that have been scored: those that everybody may see."""
        turns = [record.turn for record in self.records]
        deals = [number for number, turn in enumerate(turns) if isinstance(turn, Deal)]
        scored = len(self.game.scores)
        return turns[: deals[scored]] if scored < len(deals) else turns

    @property
    def names(self) -> list[str]:
        """By seat, who plays, or who played if chairs have changed hands since."""
        return self.row.names or [seat.name for seat in self.seats]

    @property
    def robots(self) -> set[Seat]:
        return {Seat(seat.seat) for seat in self.seats if seat.state == SeatState.ROBOT}

    @property
    def not_waited_for(self) -> set[Seat]:
        """The seats for which a robot plays as soon as it is their turn: robots, and whoever is away."""
        return self.robots | {Seat(seat.seat) for seat in self.seats if seat.away}


def table_rules(table: TableRow) -> Rules:
    return parse_rules(table.rules)


def table_seats(session: Session, table_id: int) -> Sequence[SeatRow]:
    """The table's seats in their order."""
    return session.exec(select(SeatRow).where(SeatRow.table_id == table_id).order_by(col(SeatRow.seat))).all()


def load(session: Session, game_id: int, *, turns: int | None = None, lock: bool = False) -> Stored:
    """The game as it stood after `turns` records (None: as it stands). With `lock`, nobody else writes to it meanwhile.

    Raises LookupError where there is no such game.
    """
    row = session.get(GameRow, game_id, with_for_update=lock or None)
    if row is None:
        raise LookupError(f"no game {game_id}")
    table = session.get_one(TableRow, row.table_id)
    query = select(TurnRow.turn, TurnRow.way, TurnRow.choice).where(TurnRow.game_id == game_id)
    query = query if turns is None else query.where(TurnRow.number <= turns)
    kept = session.exec(query.order_by(col(TurnRow.number)))
    records = tuple(Record(parse_turn(turn), Way(way), choice) for turn, way, choice in kept)
    game = replay(table_rules(table), (record.turn for record in records))
    return Stored(row, table, table_seats(session, row.table_id), records, game)


def last_turn_at(session: Session, game_id: int) -> datetime | None:
    """When the game's last record was written; None where there is none."""
    return session.exec(select(func.max(TurnRow.at)).where(TurnRow.game_id == game_id)).one()


def append(session: Session, stored: Stored, record: Record, now: datetime) -> Stored:
    """The game with one more record. Raises IllegalTurn, and has then written nothing."""
    game = apply(stored.game, record.turn)
    stored.row.turns += 1
    turn, way, choice = record
    number = stored.row.turns
    session.add(TurnRow(game_id=stored.id, number=number, turn=turn_mapping(turn), way=way, choice=choice, at=now))
    return Stored(stored.row, stored.table, stored.seats, (*stored.records, record), game)
