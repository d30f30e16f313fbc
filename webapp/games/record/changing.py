"""The transaction that changes games, and their only writer.

It locks in one order: the tables by number, their games, and then all players by number. Letters come last. At its end
it commits, and wakes a worker for the mails and for each of its games that is due. If it fails, nothing has changed.

Two others are made of it, each for what it does at its end: `seating.change_table` begins the next game, and
`own_seats.change_seats` updates the player's games.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, select

from webapp.core import metrics
from webapp.core.bell import PLAY_FOR_ABSENT
from webapp.core.runtime import Runtime
from webapp.games.record import store
from webapp.games.record.rows import lock_players, lock_tables, locked_rows, table_seats
from webapp.games.record.store import Record, TableGame
from webapp.models import GameRow, GameState, SeatRow, TableRow, TurnRow


class Transaction:
    """One transaction, at the time `now`, and the games that it has opened."""

    def __init__(self, session: Session, runtime: Runtime, now: datetime) -> None:
        self.session, self.runtime, self.now = session, runtime, now
        self._games: dict[int, OpenGame] = {}

    def game(self, game_id: int, hand: int | None = None) -> "OpenGame":
        """Opens a game, about `hand` if that is being played. Raises LookupError if there is none."""
        game = self._games.get(game_id)
        if game is None:
            stored = store.of_rows(self.session, locked_rows(self.session, game_id))
            lock_players(self.session, stored.seats)
            game = self._games[game_id] = OpenGame(self, stored)
        if hand is not None:
            game.stored = game.stored.at(hand)
        return game

    def running(self, table_id: int, hand: int | None = None) -> "OpenGame | None":
        """Opens the game that the table plays now, about `hand` if that is being played; None if it plays none."""
        running = select(GameRow.id).where(GameRow.table_id == table_id, GameRow.state == GameState.PLAYING)
        game_id = self.session.exec(running).first()
        return None if game_id is None else self.game(game_id, hand)

    def lock_table(self, table_id: int, joining: Collection[int] = ()) -> TableRow | None:
        """Locks a table with its players, and those who are `joining`, by id. Returns it; None if there is none."""
        lock_tables(self.session, [table_id])
        lock_players(self.session, table_seats(self.session, table_id), joining)
        return self.session.get(TableRow, table_id)

    def ring(self, *, for_games: bool = True) -> None:
        """Wakes a worker for the mails, and one for each open game that is due."""
        self.runtime.bell.deliver()
        for game in self._games.values() if for_games else ():
            if game.row.wake_at is not None and game.row.wake_at <= self.now:
                self.runtime.bell.ring(PLAY_FOR_ABSENT, game.row.id)


@dataclass(slots=True)
class OpenGame:
    """A game that only its transaction can change, until the end of that. `stored` is the game as it is by now."""

    transaction: Transaction
    stored: TableGame

    @property
    def session(self) -> Session:
        return self.transaction.session

    @property
    def runtime(self) -> Runtime:
        return self.transaction.runtime

    @property
    def now(self) -> datetime:
        return self.transaction.now

    @property
    def row(self) -> GameRow:
        return self.stored.row

    @property
    def table(self) -> TableRow:
        return self.stored.table

    @property
    def seats(self) -> Sequence[SeatRow]:
        return self.stored.seats

    def append(self, record: Record) -> None:
        """Adds a record, as `store.extended` has it. Raises IllegalTurn if the rules refuse the turn; nothing is
        written then.
        """
        after = store.extended(self.stored, record)
        turn, source, choice, hand, number = after.records[-1]
        row = after.row
        row.turns = number
        written = TurnRow(game_id=row.id, number=number, turn=turn, source=source, at=self.now)
        written.choice, written.hand = choice, hand if row.at_once > 1 else None
        self.session.add(written)
        metrics.count_after_commit(self.session, metrics.TURNS.labels(source.value))
        self.stored = after


@contextmanager
def games(runtime: Runtime, now: datetime, *, wakes_for_games: bool = True) -> Iterator[Transaction]:
    """A transaction that opens games one by one. Raises DatabaseDown.

    Not `wakes_for_games`: its caller goes on with them, and no worker is woken for them.
    """
    with runtime.database.writing() as session:
        transaction = Transaction(session, runtime, now)
        yield transaction
    transaction.ring(for_games=wakes_for_games)


@contextmanager
def game(
    runtime: Runtime, game_id: int, now: datetime, hand: int | None = None, *, wakes_for_games: bool = True
) -> Iterator[OpenGame]:
    """A transaction on one game, about `hand` if that is being played. Raises DatabaseDown, and LookupError if there is
    no such game.
    """
    with games(runtime, now, wakes_for_games=wakes_for_games) as transaction:
        yield transaction.game(game_id, hand)
