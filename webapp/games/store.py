"""From rows to games and back: loads a game by folding its turn records, and appends a record.

No other module writes turn records. A caller that appends is in a writing transaction and has loaded with `lock=True`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam
from sqlmodel import Session, col, func, select

from hearts.game import Game, Stage, apply, replay
from hearts.rules import Rules, parse_rules
from hearts.seats import Seat
from hearts.turns import Deal, Turn, parse_turn, turn_mapping
from webapp.models import GameRow, GameState, SeatRow, SeatState, TableRow, TurnRow, TurnSource

# Every page and every turn begins with these, and to build one anew takes longer than to run it.
_SEATS = select(SeatRow).where(SeatRow.table_id == bindparam("table_id")).order_by(col(SeatRow.seat))
_BOTH = select(TableRow, GameRow).join(GameRow).where(GameRow.id == bindparam("game_id"))
_NEWEST = (
    select(TableRow, GameRow)
    .select_from(TableRow)
    .outerjoin(GameRow, col(GameRow.table_id) == TableRow.id)
    .where(TableRow.id == bindparam("table_id"))
    .order_by(col(GameRow.number).desc())
    .limit(1)
)
_TABLE = select(TableRow).join(GameRow).where(GameRow.id == bindparam("game_id"))
_LOCKED_TABLE = _TABLE.with_for_update(of=TableRow, key_share=True).execution_options(populate_existing=True)
_TURNS = (
    select(TurnRow.turn, TurnRow.way, TurnRow.choice)
    .where(TurnRow.game_id == bindparam("game_id"))
    .order_by(col(TurnRow.number))
)
_FIRST_TURNS = _TURNS.where(TurnRow.number <= bindparam("turns"))


class Record(NamedTuple):
    """A turn record: what was played, how it came to be played, and a robot's reasons if one chose."""

    turn: Turn
    source: TurnSource
    choice: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """A game with its rows, which the pages, the mails and the path of a turn work on."""

    row: GameRow
    table: TableRow
    seats: Sequence[SeatRow]
    records: tuple[Record, ...]
    game: Game

    @property
    def id(self) -> int:
        return self.row.id

    def finished_turns(self) -> list[Turn]:
        """The turns of all scored hands, which everybody may see."""
        return [record.turn for record in _finished(self.records, self.game)]

    def without_unfinished_hand(self) -> "Stored":
        """The same with nothing of a hand that is not scored."""
        records = _finished(self.records, self.game)
        return replace(self, records=records, game=replay(self.game.rules, (record.turn for record in records)))

    @property
    def was_ended(self) -> bool:
        """Whether the host has ended the game early: then it consists of its finished hands and asks nobody."""
        return self.row.state is GameState.OVER and self.game.stage is not Stage.OVER

    @property
    def names(self) -> list[str]:
        """By seat, the players' names; in a finished game, those of the players at its end."""
        return self.row.names or [seat.name for seat in self.seats]

    def names_of_hand(self, hand: int) -> list[str]:
        """By seat, the names of the players who finished that hand or are playing it."""
        names = self.names
        return [self._earlier_name(seat, hand) or names[seat] for seat in range(len(names))]

    def has_played(self, seat: Seat, hand: int) -> bool:
        """Whether the seat's present player finished that hand."""
        change = self._change_after(seat, "hands", hand)
        return self.is_of_present_player(seat) and (change is None or self._is_by_present_player(change))

    def has_chosen(self, seat: Seat, number: int) -> bool:
        """Whether the seat's present player had it when the game got its record of that number."""
        change = self._change_after(seat, "turns", number)
        return change is None or self._is_by_present_player(change)

    def is_of_present_player(self, seat: Seat) -> bool:
        """Whether the seat's present player had it at the end of this game; after the game it may go to others."""
        return self.names[seat] == self.seats[seat].name

    def turns_before(self, seat: Seat) -> int:
        """How many records the game had when the present player got the seat; 0 if they had it from the start."""
        return max((one["turns"] for one in self.row.earlier or () if one["seat"] == seat), default=0)

    def _earlier_name(self, seat: int, hand: int) -> str | None:
        """The name of the player who had the seat when that hand ended; None if it is the present one."""
        change = self._change_after(seat, "hands", hand)
        return None if change is None else str(change["name"])

    def _change_after(self, seat: int, what: str, number: int) -> dict[str, Any] | None:
        """The first change of the seat's player after that many "hands" or "turns"; None if there is none."""
        return next((one for one in self.row.earlier or () if one["seat"] == seat and number <= one[what]), None)

    def _is_by_present_player(self, change: dict[str, Any]) -> bool:
        """Whether the player who left the seat then has it now: somebody has played for them in between."""
        player_id = self.seats[change["seat"]].player_id
        return player_id is not None and change.get("player") == player_id

    @property
    def robots(self) -> set[Seat]:
        return {Seat(seat.seat) for seat in self.seats if seat.state == SeatState.ROBOT}

    @property
    def played_by_robot(self) -> set[Seat]:
        """The seats for which a robot plays as soon as it is their turn: robots, players who are away, and those who
        let it play this hand.
        """
        return self.robots | {Seat(seat.seat) for seat in self.seats if seat.away or self.has_handed_over(seat)}

    def has_handed_over(self, seat: SeatRow) -> bool:
        """Whether the player of the seat lets a robot play the present hand."""
        return seat.robot_hand is not None and seat.robot_hand == self.game.hand


def table_rules(table: TableRow) -> Rules:
    return parse_rules(table.rules)


def table_seats(session: Session, table_id: int) -> Sequence[SeatRow]:
    """The table's seats, in order."""
    return session.exec(_SEATS, params={"table_id": table_id}).all()


def lock_tables(session: Session, table_ids: Iterable[int]) -> None:
    """Locks these tables in a fixed order. Lock a table before its game and its players."""
    tables = select(TableRow).where(col(TableRow.id).in_(table_ids)).order_by(col(TableRow.id))
    session.exec(tables.with_for_update(key_share=True).execution_options(populate_existing=True)).all()


def load(session: Session, game_id: int, *, turns: int | None = None, lock: bool = False) -> Stored:
    """The game after `turns` records (None: all). With `lock`, no other transaction can write to it.

    Of a game that its host has ended only the finished hands are loaded: nobody is shown the cards of the last one.

    Raises LookupError if there is no such game.
    """
    return _filled(session, *(_locked if lock else _unlocked)(session, game_id), turns)


def load_newest(session: Session, table_id: int) -> Stored | None:
    """The newest game of the table, as `load` does; None before the first, or if there is no such table."""
    table, row = session.exec(_NEWEST, params={"table_id": table_id}).first() or (None, None)
    return _filled(session, table, row) if table and row else None


def load_running(session: Session, table_id: int) -> Stored | None:
    """The running game of the table, locked as by `load`; None if it plays none."""
    running = select(GameRow.id).where(GameRow.table_id == table_id, GameRow.state == GameState.PLAYING)
    game_id = session.exec(running).first()
    return None if game_id is None else load(session, game_id, lock=True)


def newest_game(session: Session, table_id: int) -> tuple[TableRow, GameRow | None]:
    """The table and its newest game, without its turns. Raises NoResultFound if there is no such table."""
    return session.exec(_NEWEST, params={"table_id": table_id}).one()


def _filled(session: Session, table: TableRow, row: GameRow, turns: int | None = None) -> Stored:
    """The game of these rows, with its first `turns` records, or all."""
    kept = session.exec(_TURNS if turns is None else _FIRST_TURNS, params={"game_id": row.id, "turns": turns})
    records = tuple(Record(parse_turn(turn), TurnSource(source), choice) for turn, source, choice in kept)
    game = _folded(table, records)
    if row.state is GameState.OVER and game.stage is not Stage.OVER and len(records) == row.turns:
        records = _finished(records, game)
        game = _folded(table, records)
    return Stored(row, table, table_seats(session, row.table_id), records, game)


def _unlocked(session: Session, game_id: int) -> tuple[TableRow, GameRow]:
    """A game and its table, in one query, because every page and every turn begins with it. Raises LookupError."""
    found = session.exec(_BOTH, params={"game_id": game_id}).first()
    if found is None:
        raise LookupError(f"no game {game_id}")
    return found


def _locked(session: Session, game_id: int) -> tuple[TableRow, GameRow]:
    """The same, locked in this order. The lock of the table leaves out its key: inserting a row that refers to it need
    not wait.
    """
    table = session.exec(_LOCKED_TABLE, params={"game_id": game_id}).first()
    if table is None:
        raise LookupError(f"no game {game_id}")
    return table, session.get_one(GameRow, game_id, with_for_update={"key_share": True})


def _folded(table: TableRow, records: Sequence[Record]) -> Game:
    return replay(table_rules(table), (record.turn for record in records))


def _finished(records: tuple[Record, ...], game: Game) -> tuple[Record, ...]:
    """The records of `game` that belong to scored hands."""
    deals = [number for number, record in enumerate(records) if isinstance(record.turn, Deal)]
    scored = len(game.scores)
    return records[: deals[scored]] if scored < len(deals) else records


def last_turn_at(session: Session, game_id: int) -> datetime | None:
    """When the game's last record was written; None if it has none."""
    return session.exec(select(func.max(TurnRow.at)).where(TurnRow.game_id == game_id)).one()


def append(session: Session, stored: Stored, record: Record, now: datetime) -> Stored:
    """The game with one more record. Raises IllegalTurn if the rules refuse the turn; nothing is written then."""
    game = apply(stored.game, record.turn)
    stored.row.turns += 1
    turn, source, choice = record
    number = stored.row.turns
    session.add(TurnRow(game_id=stored.id, number=number, turn=turn_mapping(turn), way=source, choice=choice, at=now))
    return Stored(stored.row, stored.table, stored.seats, (*stored.records, record), game)
