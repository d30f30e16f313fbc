"""From rows to games: loads a game by folding its turn records. `changing` writes them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import accumulate
from threading import Lock
from typing import Final, NamedTuple, Self
from weakref import WeakKeyDictionary

from cachetools import LRUCache
from sqlalchemy import Pool, bindparam
from sqlmodel import Session, col, select

from hearts.cycle import Cycle, apply_to_hand, before_deal, play_on, replay_hands
from hearts.game import Game, Stage
from hearts.record import Record as GameRecord
from hearts.record import record_of
from hearts.rules import Rules
from hearts.seats import Seat
from hearts.turns import Deal, Turn
from webapp.core.database import only_reads
from webapp.games.record.rows import TableRows, game_rows, newest_rows, table_rules
from webapp.models import (
    Clock,
    EarlierPlayer,
    GameRow,
    GameState,
    Grounds,
    SeatRow,
    SeatState,
    TableRow,
    TurnRow,
    TurnSource,
)

# Turn records: what was played, how that came about, and their numbers. `store` reads and writes them.

BY_PLAYER = (TurnSource.LINK, TurnSource.PAGE, TurnSource.REPLY)
CHOSEN = (*BY_PLAYER, TurnSource.AHEAD)  # by the player, at whatever time


class Record(NamedTuple):
    """A turn record: what was played, how it came to be played, a robot's reasons if one chose, and in which hand."""

    turn: Turn
    source: TurnSource
    choice: Grounds | None = None
    hand: int = 0  # 0 until it is appended
    number: int = 0  # likewise; from 1 within the game


def numbered(records: Iterable[Record], dealt: int = 0, after: int = 0) -> tuple[Record, ...]:
    """The records, each with its number and that of its hand: as the row says, or else how many were dealt by then.

    `dealt` is how many hands were dealt before these records, `after` how many records came before them.
    """
    records = tuple(records)
    hands = [*accumulate((isinstance(record.turn, Deal) for record in records), initial=dealt)][1:]
    return tuple(
        one._replace(hand=one.hand or hand, number=number)
        for number, (one, hand) in enumerate(zip(records, hands, strict=True), after + 1)
    )


# Folds games over their turn records, and keeps them, so that the next page or turn folds only what came since.
# A turn record that is committed never changes, so a record that one session has read holds for every later one. Only
# sessions on a snapshot keep games: others may see changes that are rolled back.

# Records kept in one process, of the games that were loaded last: 10 MB, or more where robots gave reasons.
MOST_KEPT: Final = 50_000


class Folded(NamedTuple):
    """A game after its first records. `started_at` tells it from another that had its number before a restore."""

    rules: Rules
    started_at: datetime
    records: tuple[Record, ...]
    cycle: Cycle

    @property
    def turns(self) -> int:
        """After how many records it is the game."""
        return len(self.records)

    def after(self, records: Sequence[Record]) -> Self:
        """The same after some more records. Raises IllegalTurn."""
        if not records:
            return self
        dealt = self.records[-1].hand if self.records else 0
        new = numbered(records, dealt, self.turns)
        cycle = play_on(self.cycle, ((one.hand, one.turn) for one in new))
        return self._replace(records=(*self.records, *new), cycle=cycle)


_Kept = LRUCache[int, Folded]  # by game
_kept: WeakKeyDictionary[Pool, _Kept] = WeakKeyDictionary()  # by database
_lock = Lock()  # the cache knows no threads


def known(session: Session, row: GameRow, rules: Rules, most: int) -> Folded:
    """The game after as many of its first `most` records as are known without asking the database, perhaps none."""
    with _lock:
        found = _of_database(session).get(row.id)
    is_same = found is not None and (found.rules, found.started_at) == (rules, row.started_at)
    if found is not None and is_same and found.turns <= most:
        return found
    return Folded(rules, row.started_at, (), before_deal(rules, row.at_once))


def keep(session: Session, row: GameRow, folded: Folded) -> None:
    """Keeps the game for later sessions, if this one reads only what is committed."""
    if only_reads(session) and len(folded.records) <= MOST_KEPT:
        with _lock:
            _of_database(session)[row.id] = folded


def _of_database(session: Session) -> _Kept:
    pool = session.get_bind().engine.pool
    return _kept.setdefault(pool, LRUCache(MOST_KEPT, getsizeof=lambda folded: len(folded.records)))


NO_CLOCK: Final = Clock()  # of a hand that has asked nobody
UNASKED: Final = (TurnSource.FORCED, TurnSource.CLAIM, TurnSource.AS_WISHED)


@dataclass(frozen=True, slots=True)
class TableGame:
    """A game at its table: its records and rows, which the pages, the mails and the path of a turn work on.

    It is about one hand, `game`. Of those that are played side by side, `at` chooses another.
    """

    row: GameRow
    table: TableRow
    seats: Sequence[SeatRow]
    records: tuple[Record, ...]
    cycle: Cycle
    game: Game

    @property
    def id(self) -> int:
        return self.row.id

    @property
    def clock(self) -> Clock:
        """The deadline of the hand, and what it follows from."""
        return (self.row.clocks or {}).get(self.game.hand, NO_CLOCK)

    @property
    def turns(self) -> int:
        """After how many records it is the game."""
        return len(self.records)

    @property
    def last_turn(self) -> int:
        """The number of the hand's last record."""
        if self.row.at_once == 1:
            return self.turns
        return max((one.number for one in self.records if one.hand == self.game.hand), default=0)

    def at(self, hand: int) -> Self:
        """The same about another hand, if that is one of those dealt last."""
        game = self.cycle.hand(hand)
        return self if game in (None, self.game) else replace(self, game=game)

    def open_hands(self) -> Iterator[Self]:
        """The same about each hand that waits for a seat now.

        While a slow game is played live, that is the first one only: hands side by side are played one after another.
        """
        games = self.cycle.open_hands
        return (self.at(game.hand) for game in (games[:1] if self.table.is_together else games))

    def of_hand(self, hand: int) -> tuple[Record, ...]:
        """The records of a hand, its deal first."""
        return tuple(record for record in self.records if record.hand == hand)

    def last_asked(self, seat: Seat) -> Record | None:
        """The last turn in the game for which the player of `seat` was asked; None if there is none."""
        theirs = (one for one in reversed(self.records) if not isinstance(one.turn, Deal) and one.turn.seat == seat)
        return next((one for one in theirs if one.source not in UNASKED), None)

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
        changes = [self._change_after_hand(seat, hand) for seat in range(len(names))]
        return [(change and change.name) or name for change, name in zip(changes, names, strict=True)]

    def has_played(self, seat: Seat, hand: int) -> bool:
        """Whether the seat's present player finished that hand."""
        change = self._change_after_hand(seat, hand)
        return self.is_of_present_player(seat) and (change is None or self._is_by_present_player(change))

    def has_chosen(self, seat: Seat, number: int) -> bool:
        """Whether the seat's present player had it when the game got its record of that number."""
        changes = (one for one in self.row.earlier or () if one.seat == seat and number <= one.turns)
        change = next(changes, None)
        return change is None or self._is_by_present_player(change)

    def is_of_present_player(self, seat: Seat) -> bool:
        """Whether the seat's present player had it at the end of this game; after the game it may go to others."""
        return self.names[seat] == self.seats[seat].name

    def turns_before(self, seat: Seat) -> int:
        """How many records the game had when the present player got the seat; 0 if they had it from the start."""
        return max((one.turns for one in self.row.earlier or () if one.seat == seat), default=0)

    def _change_after_hand(self, seat: int, hand: int) -> EarlierPlayer | None:
        """The first change of the seat's player after the hand was over; None if there is none."""
        changes = (one for one in self.row.earlier or () if one.seat == seat)
        return next((one for one in changes if one.had(hand)), None)

    def _is_by_present_player(self, change: EarlierPlayer) -> bool:
        """Whether the player who left the seat then has it now: somebody has played for them in between."""
        player_id = self.seats[change.seat].player_id
        return player_id is not None and change.player == player_id

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
        return replace(self, records=records, cycle=cycle, game=cycle.hands[-1])


def is_handed_over(seat: SeatRow, game: GameRow, hand: int) -> bool:
    """Whether the player of the seat lets a robot play that hand of the game, and those beside it."""
    return seat.robot_hand is not None and game.are_together(seat.robot_hand, hand)


def load(
    session: Session,
    game_id: int,
    *,
    hand: int | None = None,
    turns: int | None = None,
) -> TableGame:
    """The game after `turns` records (None: all), to look at: `changing` opens one to change it.

    It is about `hand`, if that is being played, else about the first hand that waits for a seat. Of a game that its
    host has ended only the finished hands are loaded: nobody is shown the cards of the last one.

    Raises LookupError if there is no such game.
    """
    stored = of_rows(session, game_rows(session, game_id), turns)
    return stored if hand is None else stored.at(hand)


def load_newest(session: Session, table_id: int) -> TableGame | None:
    """The newest game of the table, as `load` does; None before the first, or if there is no such table."""
    rows = newest_rows(session, table_id)
    return of_rows(session, rows) if rows and rows.game else None


# Built once: most pages, turns and mails read these.
_TURNS = select(col(TurnRow.turn), col(TurnRow.source), col(TurnRow.choice), col(TurnRow.hand))
_TURNS = _TURNS.where(TurnRow.game_id == bindparam("game"), TurnRow.number > bindparam("after"))
_TURNS = _TURNS.where(TurnRow.number <= bindparam("most")).order_by(col(TurnRow.number))


def of_rows(session: Session, rows: TableRows, turns: int | None = None) -> TableGame:
    """The game of these rows, with its first `turns` records, or all."""
    row, rules = rows.of_game, table_rules(rows.table)
    most = row.turns if turns is None else min(turns, row.turns)
    part = known(session, row, rules, most)
    if part.turns < most:
        # Without a lock, PostgreSQL may have committed more since the row was read: they are left to the next look.
        found = session.exec(_TURNS, params={"game": row.id, "after": part.turns, "most": most})
        new = [Record(turn, source, choice, hand or 0) for turn, source, choice, hand in found]
        part = part.after(new)
        if turns is None:
            keep(session, row, part)
    records, cycle = part.records, part.cycle
    if row.state is GameState.OVER and cycle.stage is not Stage.OVER and len(records) == row.turns:
        records = _finished(records, cycle)
        cycle = _folded(rules, row, records)
    game = next(iter(cycle.open_hands), cycle.hands[-1])
    return TableGame(row, rows.table, rows.seats, records, cycle, game)


def _folded(rules: Rules, row: GameRow, records: Iterable[Record]) -> Cycle:
    return replay_hands(rules, row.at_once, ((record.hand, record.turn) for record in records))


def _finished(records: tuple[Record, ...], cycle: Cycle) -> tuple[Record, ...]:
    """The records that belong to scored hands."""
    return tuple(record for record in records if record.hand <= len(cycle.scores))


def check(stored: TableGame, record: Record) -> None:
    """Raises IllegalTurn if the rules refuse the turn in the hand that `stored` is about."""
    apply_to_hand(stored.cycle, stored.game.hand, record.turn)


def extended(stored: TableGame, record: Record) -> TableGame:
    """The game as it will be with one more record: a turn in the hand that `stored` is about, or
    a deal of the next hand. Its rows do not change. Raises IllegalTurn if the rules refuse the turn.
    """
    hand = stored.cycle.next_hand if isinstance(record.turn, Deal) else stored.game.hand
    cycle = apply_to_hand(stored.cycle, hand, record.turn)
    game = cycle.hand(hand)
    assert game is not None
    new = record._replace(hand=hand, number=stored.turns + 1)
    return replace(stored, records=(*stored.records, new), cycle=cycle, game=game)
