"""From rows to games and back: loads a game by folding its turn records, and appends a record.

A running game is folded from its checkpoint on: it has the records of the hands in play. What needs those of all hands
takes a `Whole`. No other module writes turn records. A caller that appends is in a writing transaction and has loaded
with `lock=True`.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Self, TypeVar

from sqlmodel import Session, col, func, select

from hearts.cycle import Cycle, apply_to_hand, replay_hands
from hearts.game import Game, Stage
from hearts.record import Record as GameRecord
from hearts.record import record_of
from hearts.rules import Rules
from hearts.seats import Seat
from hearts.turns import Deal, Turn, parse_turn, turn_mapping
from webapp.core import metrics
from webapp.games import checkpoint, folded, packed
from webapp.games.checkpoint import BEGINNING, Asked, Checkpoint
from webapp.games.records import Record, numbered
from webapp.games.rows import TableRows, game_rows, locked_rows, newest_rows, table_rules
from webapp.models import (
    ClockRow,
    GameRow,
    GameState,
    SeatRow,
    SeatState,
    TableRow,
    TurnRow,
    TurnSource,
)

log = logging.getLogger(__name__)
_S = TypeVar("_S", bound="Stored")


class NotLoaded(Exception):
    """Records are asked for that come before those which were loaded: a fault of ours."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A game with its rows, which the pages, the mails and the path of a turn work on.

    It is about one hand, `game`. Of those that are played side by side, `at` chooses another. It knows the scores of
    all hands, and the records of those that were dealt last.
    """

    row: GameRow
    table: TableRow
    seats: Sequence[SeatRow]
    start: Checkpoint  # what came before the first of its records
    latest: tuple[Record, ...]  # all since then
    cycle: Cycle
    game: Game
    clocks: Mapping[int, ClockRow] = field(default_factory=dict)  # by hand, if hands are played side by side

    @property
    def id(self) -> int:
        return self.row.id

    @property
    def clock(self) -> GameRow | ClockRow:
        """The deadline of the hand, and what belongs to it."""
        return self.clocks.get(self.game.hand, self.row)

    @property
    def turns(self) -> int:
        """After how many records it is the game."""
        return self.latest[-1].number if self.latest else self.start.turns

    @property
    def last_turn(self) -> int:
        """The number of the hand's last record."""
        if self.row.at_once == 1:
            return self.turns
        return max((one.number for one in self.latest if one.hand == self.game.hand), default=0)

    def at(self, hand: int) -> Self:
        """The same about another hand, if that is one of those dealt last."""
        game = self.cycle.hand(hand)
        return self if game in (None, self.game) else replace(self, game=game)

    def open_hands(self) -> Iterator[Self]:
        """The same about each hand that waits for a seat now.

        During an evening together that is the first one only: hands side by side are played one after another.
        """
        games = self.cycle.open_hands
        return (self.at(game.hand) for game in (games[:1] if self.table.is_together else games))

    def of_hand(self, hand: int) -> tuple[Record, ...]:
        """The records of a hand, its deal first. Raises NotLoaded if it was over before the first that was loaded."""
        if hand <= len(self.start.scores):
            raise NotLoaded(f"hand {hand} of game {self.id}, loaded from hand {len(self.start.scores) + 1} on")
        return tuple(record for record in self.latest if record.hand == hand)

    def since(self, turns: int) -> tuple[Record, ...]:
        """The records after the first `turns`. Raises NotLoaded if not all of them were loaded."""
        if turns < self.start.turns:
            raise NotLoaded(f"record {turns + 1} of game {self.id}, loaded from {self.start.turns + 1} on")
        return tuple(record for record in self.latest if record.number > turns)

    def last_asked(self, seat: Seat) -> Asked | None:
        """The last turn in the game for which the player of `seat` was asked; None if there is none."""
        return checkpoint.last_asked(self.start, self.latest, seat)

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
        change = self._change_after_hand(seat, hand)
        return self.is_of_present_player(seat) and (change is None or self._is_by_present_player(change))

    def has_chosen(self, seat: Seat, number: int) -> bool:
        """Whether the seat's present player had it when the game got its record of that number."""
        changes = (one for one in self.row.earlier or () if one["seat"] == seat and number <= one["turns"])
        change = next(changes, None)
        return change is None or self._is_by_present_player(change)

    def is_of_present_player(self, seat: Seat) -> bool:
        """Whether the seat's present player had it at the end of this game; after the game it may go to others."""
        return self.names[seat] == self.seats[seat].name

    def turns_before(self, seat: Seat) -> int:
        """How many records the game had when the present player got the seat; 0 if they had it from the start."""
        return max((one["turns"] for one in self.row.earlier or () if one["seat"] == seat), default=0)

    def _earlier_name(self, seat: int, hand: int) -> str | None:
        """The name of the player who had the seat when that hand ended; None if it is the present one."""
        change = self._change_after_hand(seat, hand)
        return None if change is None else str(change["name"])

    def _change_after_hand(self, seat: int, hand: int) -> dict[str, Any] | None:
        """The first change of the seat's player after the hand was over; None if there is none."""
        changes = (one for one in self.row.earlier or () if one["seat"] == seat)
        return next((one for one in changes if hand <= one["hands"] or hand in one.get("done", ())), None)

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
        return {Seat(seat.seat) for seat in self.seats if self.is_played_by_robot(Seat(seat.seat))}

    def is_played_by_robot(self, seat: Seat) -> bool:
        """Whether a robot plays for the seat, as `played_by_robot` has it."""
        row = self.seats[seat]
        return row.state is SeatState.ROBOT or row.away or self.has_handed_over(row)

    def has_handed_over(self, seat: SeatRow) -> bool:
        """Whether the player of the seat lets a robot play the present hand, and those beside it."""
        return is_handed_over(seat, self.row, self.game.hand)


@dataclass(frozen=True, slots=True)
class Whole(Stored):
    """A game with all its records."""

    @property
    def records(self) -> tuple[Record, ...]:
        return self.latest

    def record(self, *, unfinished: bool = False) -> GameRecord:
        """The game record of all scored hands, which everybody may see; with `unfinished`, also of those in play."""
        turns = [record.turn for record in sorted(self.records, key=lambda one: one.hand)]
        return record_of(self.game.rules, self.names, turns if unfinished else self.finished_turns(), self.row.at_once)

    def finished_turns(self) -> list[Turn]:
        """The turns of all scored hands, hand by hand, which everybody may see."""
        return [record.turn for record in sorted(_finished(self.records, self.cycle), key=lambda one: one.hand)]

    def without_unfinished_hand(self) -> Self:
        """The same with nothing of a hand that is not scored."""
        records = _finished(self.records, self.cycle)
        cycle = _folded(self.game.rules, self.row, records)
        return replace(self, latest=records, cycle=cycle, game=cycle.hands[-1])


def is_handed_over(seat: SeatRow, game: GameRow, hand: int) -> bool:
    """Whether the player of the seat lets a robot play that hand of the game, and those beside it."""
    return seat.robot_hand is not None and game.are_together(seat.robot_hand, hand)


def load(
    session: Session,
    game_id: int,
    *,
    hand: int | None = None,
    turns: int | None = None,
    lock: bool = False,
) -> Stored:
    """The game after `turns` records (None: all). With `lock`, no other transaction can write to it.

    It is about `hand`, if that is being played, else about the first hand that waits for a seat. Of a game that its
    host has ended only the finished hands are loaded: nobody is shown the cards of the last one.

    Raises LookupError if there is no such game.
    """
    rows = locked_rows(session, game_id) if lock else game_rows(session, game_id)
    stored = _filled(session, rows, turns)
    return stored if hand is None else stored.at(hand)


def load_newest(session: Session, table_id: int) -> Stored | None:
    """The newest game of the table, as `load` does; None before the first, or if there is no such table."""
    rows = newest_rows(session, table_id)
    return _filled(session, rows) if rows and rows.game else None


def load_whole(session: Session, game_id: int) -> Whole:
    """The game with all its records, as `load` does otherwise. Raises LookupError if there is no such game."""
    return _filled_whole(session, game_rows(session, game_id))


def load_newest_whole(session: Session, table_id: int) -> Whole | None:
    """The newest game of the table with all its records; None as `load_newest`."""
    rows = newest_rows(session, table_id)
    return _filled_whole(session, rows) if rows and rows.game else None


def whole(session: Session, stored: Stored) -> Whole:
    """The same game after as many records, with all of them; reads them unless it has them."""
    if isinstance(stored, Whole):
        return stored
    rows = TableRows(stored.table, stored.seats, stored.row)
    return _loaded(Whole, session, rows, BEGINNING, stored.turns).at(stored.game.hand)


def records_of(session: Session, stored: Stored, hand: int) -> tuple[Record, ...]:
    """The records of a hand, its deal first, however long it has been over; reads them unless the game has them."""
    start = stored.start
    if hand > len(start.scores):
        return stored.of_hand(hand)
    before_last = len(start.scores) - stored.row.at_once
    after, dealt = (start.last_cycle, before_last) if hand > before_last else (0, 0)
    records = numbered(_records(session, stored.row, after, start.turns), dealt, after)
    return tuple(record for record in records if record.hand == hand)


def load_running(session: Session, table_id: int, hand: int | None = None) -> Stored | None:
    """The running game of the table, locked as by `load`, about `hand`; None if it plays none."""
    running = select(GameRow.id).where(GameRow.table_id == table_id, GameRow.state == GameState.PLAYING)
    game_id = session.exec(running).first()
    return None if game_id is None else load(session, game_id, hand=hand, lock=True)


def _filled(session: Session, rows: TableRows, turns: int | None = None) -> Stored:
    """The game of these rows, with its first `turns` records, or all; from its checkpoint on, if it is running."""
    row, start = rows.of_game, _start_of(rows.of_game)
    is_older = start.turns < (row.turns if turns is None else min(turns, row.turns))
    if start == BEGINNING or not is_older:
        return _loaded(Whole, session, rows, BEGINNING, turns)
    return _loaded(Stored, session, rows, start, turns)


def _start_of(row: GameRow) -> Checkpoint:
    """From where on a game is folded."""
    return checkpoint.checkpoint_of(row) if row.state is GameState.PLAYING else BEGINNING


def _filled_whole(session: Session, rows: TableRows) -> Whole:
    """The game of these rows with all its records. Logs a checkpoint that disagrees with them."""
    found, row = _loaded(Whole, session, rows, BEGINNING), rows.of_game
    if row.state is GameState.PLAYING and has_bent_checkpoint(found):
        log.error("game %s: its checkpoint disagrees with its turn records: flask --app webapp doctor --fix", row.id)
    return found


def _loaded(kind: type[_S], session: Session, rows: TableRows, start: Checkpoint, turns: int | None = None) -> _S:
    """The game of these rows, with its records from `start` up to the first `turns`, or all."""
    row, rules = rows.of_game, table_rules(rows.table)
    most = row.turns if turns is None else min(turns, row.turns)
    part = folded.known(session, row, rules, start, most)
    if part.turns < most:
        part = part.after(_records(session, row, part.turns, turns))
        if turns is None:
            folded.keep(session, row, part)
    records, cycle = part.records, part.cycle
    if row.state is GameState.OVER and cycle.stage is not Stage.OVER and len(records) == row.turns:
        records = _finished(records, cycle)
        cycle = _folded(rules, row, records)
    game = next(iter(cycle.open_hands), cycle.hands[-1])
    clocks = {} if row.at_once == 1 else _clocks(session, row.id)
    return kind(row, rows.table, rows.seats, start, records, cycle, game, clocks)


def _records(session: Session, row: GameRow, after: int, turns: int | None) -> list[Record]:
    """The records after the first `after`, up to the first `turns` (None: all)."""
    records = select(TurnRow.turn, TurnRow.source, TurnRow.choice, TurnRow.hand).order_by(col(TurnRow.number))
    some = records.where(TurnRow.game_id == row.id, TurnRow.number > after)
    found = session.exec(some if turns is None else some.where(TurnRow.number <= turns)).all()
    if not found and row.state is GameState.OVER:
        return [_record(*one[:-1]) for one in packed.turns_of(session, row.id)[after:turns]]
    return [_record(*one) for one in found]


def _record(turn: Mapping[str, Any], source: str, choice: Mapping[str, Any] | None, hand: int | None) -> Record:
    return Record(parse_turn(turn), TurnSource(source), choice, hand or 0)


def _clocks(session: Session, game_id: int) -> dict[int, ClockRow]:
    return {clock.hand: clock for clock in session.exec(select(ClockRow).where(ClockRow.game_id == game_id))}


def _folded(rules: Rules, row: GameRow, records: Iterable[Record]) -> Cycle:
    return replay_hands(rules, row.at_once, ((record.hand, record.turn) for record in records))


def _finished(records: tuple[Record, ...], cycle: Cycle) -> tuple[Record, ...]:
    """The records that belong to scored hands."""
    return tuple(record for record in records if record.hand <= len(cycle.scores))


def last_turn_at(session: Session, game_id: int) -> datetime | None:
    """When the game's last record was written; None if it has none."""
    return session.exec(select(func.max(TurnRow.at)).where(TurnRow.game_id == game_id)).one()


def check(stored: Stored, record: Record) -> None:
    """Raises IllegalTurn if the rules refuse the turn in the hand that `stored` is about."""
    apply_to_hand(stored.cycle, stored.game.hand, record.turn)


def has_bent_checkpoint(stored: Whole) -> bool:
    """Whether the game has a checkpoint that disagrees with its records."""
    return checkpoint.disagrees(stored.row, stored.records, stored.cycle.scores, stored.game.rules.players)


def extended(stored: Stored, record: Record) -> Stored:
    """The game as it will be with one more record, which `append` writes: a turn in the hand that `stored` is about, or
    a deal of the next hand. Its rows do not change. Raises IllegalTurn if the rules refuse the turn.
    """
    hand = stored.cycle.next_hand if isinstance(record.turn, Deal) else stored.game.hand
    cycle = apply_to_hand(stored.cycle, hand, record.turn)
    game = cycle.hand(hand)
    assert game is not None
    new = record._replace(hand=hand, number=stored.turns + 1)
    return replace(stored, latest=(*stored.latest, new), cycle=cycle, game=game)


def append(session: Session, stored: Stored, record: Record, now: datetime) -> Stored:
    """The game with one more record, as `extended` has it.

    A deal after which no earlier hand is open also moves the game's checkpoint. Raises IllegalTurn if the rules refuse
    the turn; nothing is written then.
    """
    after = extended(stored, record)
    turn, source, choice, hand, number = after.latest[-1]
    row, clocks = stored.row, stored.clocks
    if isinstance(turn, Deal) and stored.cycle.scores and not stored.cycle.is_being_dealt:
        row.checkpoint = checkpoint.checkpoint_mapping(_before_deal(stored))
    row.turns = number
    if row.at_once > 1 and hand not in clocks:
        clocks = {**clocks, hand: ClockRow(game_id=row.id, hand=hand)}
        session.add(clocks[hand])
    own_hand = hand if row.at_once > 1 else None
    written = TurnRow(
        game_id=row.id,
        number=number,
        turn=turn_mapping(turn),
        source=source,
        choice=choice,
        hand=own_hand,
        at=now,
    )
    session.add(written)
    metrics.count_after_commit(session, metrics.TURNS.labels(source.value))
    return replace(after, clocks=clocks)


def _before_deal(stored: Stored) -> Checkpoint:
    """The checkpoint of a game whose next record is a deal."""
    cycle = stored.cycle
    return checkpoint.before_deal(stored.start, stored.latest, cycle.scores, cycle.at_once, cycle.rules.players)
