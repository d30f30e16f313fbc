"""A game at a table of the cast: what its players do, and what is true of it then."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlmodel import col, select, update

from hearts.cards import Card, Cards, suit
from hearts.game import Game, Stage, legal
from hearts.seats import Seat
from hearts.turns import Moon, MoonChoice, Pass, Play
from webapp.core.runtime import Runtime
from webapp.core.tokens import PlayLink, TurnLink
from webapp.games.asked import due as asked
from webapp.games.asked.due import Decision, Due, due_of
from webapp.games.clock.arriving import note_presence
from webapp.games.clock.presence import note_turn
from webapp.games.record import changing, store
from webapp.games.record.store import Record, TableGame
from webapp.models import GameRow, LetterRow, LetterState, PlayerRow, SeatRow, TurnRow, TurnSource
from webapp.outbox import turn_mail
from webapp.play import advancing, due_games, taking
from webapp.tables import agreeing

BO = 1
EVERYBODY = range(4)
HEARTBEAT = timedelta(seconds=30)


@dataclass(frozen=True, eq=False, slots=True)
class Table:
    """A table at which a game is played. All that it tells is as the database has it at that moment."""

    runtime: Runtime
    game_id: int

    def on(self, runtime: Runtime) -> "Table":
        """The same table, for another process."""
        return Table(runtime, self.game_id)

    # What is true.

    def load(self) -> TableGame:
        with self.runtime.database.reading() as session:
            return store.load(session, self.game_id)

    stored = property(load)

    @property
    def game(self) -> Game:
        return self.stored.game

    @property
    def row(self) -> GameRow:
        return self.stored.row

    @property
    def records(self) -> tuple[Record, ...]:
        return self.stored.records

    @property
    def table_id(self) -> int:
        return self.stored.row.table_id

    @property
    def seats(self) -> Sequence[SeatRow]:
        return self.stored.seats

    @property
    def due_at(self) -> datetime | None:
        """The deadline of the game's first question."""
        return self.stored.row.due_at

    @property
    def awaited(self) -> int:
        """The one seat that is to act."""
        (seat,) = self.game.to_act
        return seat

    @property
    def turns(self) -> list[TurnRow]:
        """The rows of its turns."""
        with self.runtime.database.reading() as session:
            found = session.exec(select(TurnRow).where(TurnRow.game_id == self.game_id).order_by(TurnRow.number))
            return list(found)

    @property
    def is_live(self) -> bool:
        return self.stored.table.is_together

    def hand(self, number: int) -> TableGame:
        """The game, about that hand."""
        return self.stored.at(number)

    def following_cards(self, seat: int) -> list[Card]:
        """The cards with which the seat can follow suit."""
        game = self.game
        led = suit(game.on_table[0])
        return [card for card in game.held[seat] if suit(card) is led]

    def turn_link(self, seat: int) -> TurnLink:
        """The link mailed to the player of `seat` for their current question."""
        stored = self.stored
        due = due_of(stored.game, Seat(seat))
        assert due is not None
        return asked.turn_link(stored, Seat(seat), due)

    def play_link(self, seat: int) -> PlayLink:
        """The link that a page has for the player of `seat`."""
        row = self.seats[seat]
        return PlayLink(row.table_id, seat, row.player_id or 0, row.visits)

    # What its players do.

    def play_first(self, way: TurnSource = TurnSource.PAGE) -> TableGame:
        """The game after one more decision: the first awaited player passes or plays their first cards."""
        stored = self.stored
        seat = stored.game.to_act[0]
        if stored.game.stage is Stage.PASS:
            turn: Decision = Pass(seat, Cards.of(list(stored.game.held[seat])[: stored.game.rules.pass_count]))
        elif stored.game.stage is Stage.MOON:
            turn = Moon(seat, MoonChoice.ADD)
        else:
            turn = Play(seat, next(iter(legal(stored.game, seat))))
        return self._take(stored.game, turn, way)

    def _take(self, game: Game, turn: Decision, way: TurnSource) -> TableGame:
        due = due_of(game, turn.seat)
        assert due is not None
        return taking.take_turn(self.runtime, self.game_id, due, turn, way, self.runtime.now())

    def pass_lowest(self, seat: int, way: TurnSource = TurnSource.PAGE) -> TableGame:
        turn = Pass(Seat(seat), Cards.of(list(self.game.held[seat])[:3]))
        return taking.take_turn(self.runtime, self.game_id, Due(1, "pass"), turn, way, self.runtime.now())

    def pass_all(self, seats: Iterable[int] = EVERYBODY) -> None:
        for seat in seats:
            self.pass_lowest(seat)

    def play_hand(self) -> None:
        """Plays until the current hand is scored, asking nobody between its first tricks and its last two."""
        stored = self.stored
        scored = len(stored.game.scores)
        while stored.game.stage is Stage.PASS or len(stored.game.plays) < stored.game.rules.players:
            stored = self.play_first()
        if len(stored.game.scores) == scored:
            self.leap(has_two_tricks_left)
        while len(self.game.scores) == scored:
            self.play_first()

    def leap(self, is_far_enough: Callable[[Game], bool], hand: int | None = None) -> None:
        """Plays on within a hand in one transaction, as one turn does with all its consequences."""
        with self.changing(hand) as game:
            before = game.stored
            while not is_far_enough(game.stored.game):
                (seat,) = game.stored.game.to_act
                game.append(Record(Play(seat, next(iter(legal(game.stored.game, seat)))), TurnSource.PAGE))
            for seat in {*map(Seat, range(before.game.rules.players))} - before.played_by_robot:
                note_turn(game.session, game.stored, seat, TurnSource.PAGE, game.now, was_live=False)
            advancing.advance(game, before)

    def miss_deadline(self) -> int:
        """Asks all awaited players and lets their deadline pass. Returns how many turns were played for them."""
        ask_all(self.runtime)
        self.runtime.now.at = max(self.runtime.now(), self.due_at or self.runtime.now())  # type: ignore[attr-defined]
        return self.play_for_absent()

    def play_for_absent(self) -> int:
        return due_games.play_for_absent(self.runtime, self.game_id)

    def beat(
        self,
        seat: int = BO,
        *,
        here: bool = True,
        idle: timedelta | None = timedelta(),
        player_id: int | None = None,
    ) -> None:
        """A heartbeat of the player's page, who last did something there `idle` ago, or (not `here`) its report that
        they leave it.
        """
        row = self.seats[seat]
        player = player_id or row.player_id or 0
        note_presence(self.runtime, row.table_id, seat, player, self.runtime.now(), here=here, idle=idle)

    def beats(self, here: Iterable[int] = EVERYBODY) -> None:
        for seat in here:
            self.beat(seat)

    def stay(self, until: datetime, here: Iterable[int] = EVERYBODY) -> None:
        """Time passes while the players of the seats `here` look at the game."""
        while self.runtime.now() < until:
            self.runtime.now.pass_by(min(HEARTBEAT, until - self.runtime.now()))  # type: ignore[attr-defined]
            self.beats(here)

    def vote(self, *who: int, wanted: bool = True) -> None:
        """The players of these seats want to play on live, or no longer."""
        for seat in who:
            agreeing.vote_live(self.runtime, self.play_link(seat), wanted=wanted, now=self.runtime.now())

    def come_together(self, who: Iterable[int] = EVERYBODY) -> None:
        """Lets all players come and tap, so that the game is live."""
        self.beats(who)
        self.vote(*who)
        assert self.is_live

    def part(self, seat: int) -> None:
        """Lets the player of `seat` end live play."""
        agreeing.end_live(self.runtime, self.play_link(seat), self.runtime.now())
        assert not self.is_live

    # What a test sets.

    def changing(self, hand: int | None = None) -> AbstractContextManager[changing.OpenGame]:
        return changing.game(self.runtime, self.game_id, self.runtime.now(), hand)

    def to_change(self) -> TableGame:
        """The game, with rows that a test may change without writing that to the database."""
        with self.runtime.database.writing() as session:
            return store.load(session, self.game_id)

    def set_due(self, at: datetime | None) -> None:
        """Tells the players of the game's hands that deadline, whatever they were granted; None: none."""
        with self.runtime.database.writing() as session:
            row = session.get_one(GameRow, self.game_id)
            row.due_at = at
            clocks = (row.clocks or {}).items()
            row.clocks = {hand: replace(clock, due_at=at, first_due_at=at) for hand, clock in clocks}

    def allow_advice(self, *, allowed: bool = True) -> None:
        """The host has set whether the players may ask the robot."""
        with self.runtime.database.writing() as session:
            store.load(session, self.game_id).table.suggestions = allowed


def has_two_tricks_left(game: Game) -> bool:
    return max(map(len, game.held)) <= 2 and not game.on_table


def ask_all(runtime: Runtime) -> None:
    """Marks letters as if workers had sent them, so that everybody has been asked."""
    now = runtime.now()
    with runtime.database.writing() as session:
        for player in session.exec(select(PlayerRow)):
            if any(one.shown_at is None for one in turn_mail.waiting_for(session, player)):
                turn_mail.mail_now(session, runtime, player, now)
    send = update(LetterRow).where(col(LetterRow.state) == LetterState.QUEUED, col(LetterRow.next_at) <= now)
    with runtime.database.writing() as session:
        session.exec(send.values(state=LetterState.SENT, next_at=None, sent_at=now))
