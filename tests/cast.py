"""The cast of the tests, and a clock that a test sets: Ann hosts, Bo and Cy play, Di is away, Eve is a stranger."""

import random
import re
from collections.abc import Callable
from copy import copy
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property, wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import make_url, text
from sqlmodel import SQLModel, col, insert, select, update

from hearts.cards import Cards
from hearts.deal import deal
from hearts.game import Game, Stage, legal
from hearts.robot import Level
from hearts.rules import Rules, preset_rules
from hearts.seats import Seat
from hearts.turns import Moon, MoonChoice, Pass, Play
from tests.shared_statements import share_statements
from webapp import migrations
from webapp.core.config import read_settings
from webapp.core.database import Database, engine_at
from webapp.core.runtime import Runtime
from webapp.core.tokens import ConfirmLink, InvitationLink, L, PlayLink, SeatLink, TurnLink
from webapp.forms.opening import NewSeat, NewTable
from webapp.games.asked import due, forced
from webapp.games.asked.due import Decision, due_of
from webapp.games.clock.presence import note_turn
from webapp.games.record import changing, store
from webapp.games.record.records import Record
from webapp.games.record.rows import table_seats
from webapp.games.record.store import TableGame
from webapp.models import (
    Frequency,
    GameRow,
    GameState,
    LetterKind,
    LetterRow,
    LetterState,
    PlayerRow,
    SeatRow,
    SeatState,
    TableRow,
    TableState,
    TurnRow,
    TurnSource,
    Wait,
)
from webapp.outbox.letters import message_id_of
from webapp.play import advancing, due_games, taking
from webapp.tables import seating

P = ParamSpec("P")
T = TypeVar("T")
Rows = dict[str, list[dict[str, Any]]]  # by table
CHANCE = random.Random(1)  # with which every runtime begins
NAMES = ("Ann", "Bo", "Cy", "Di")
PACE = timedelta(days=1)


class Clock:
    """The time, as a variable."""

    def __init__(self) -> None:
        self.at = datetime(2026, 3, 2, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at

    def pass_by(self, time: timedelta) -> None:
        self.at += time


class RuntimeOfCast(Runtime):
    """A runtime whose database compiles only the statements that no other one of this process has."""

    @cached_property
    def database(self) -> Database:
        return Database(share_statements(engine_at(self.settings.database)))


def make_runtime(folder: Path, database_url: str = "", **settings: object) -> Runtime:
    """A real runtime in its own folder, with a clock that the test sets; a named database must be up to date."""
    made = RuntimeOfCast(read_settings(data_dir=folder, database_url=database_url, **settings), Clock(), copy(CHANCE))
    folder.mkdir(parents=True, exist_ok=True)
    if not database_url:
        Path(make_url(made.settings.database).database or "").write_bytes(_migrated())
    return made


@cache
def _migrated() -> bytes:
    """An SQLite database brought up to date; tests get copies, because making it is slower than most tests."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "migrated.db"
        migrations.upgrade(f"sqlite:///{file}")
        return file.read_bytes()


def address(name: str) -> str:
    return f"{name.lower()}@example.org"


def mentions(text: str, name: str) -> bool:
    """Whether a page or an email names one of the cast. By chance a link has the same letters, within longer words."""
    return re.search(rf"(?<![\w-]){name}(?![\w-])", text) is not None


def new_table(
    names: tuple[str, ...] = NAMES,
    robots: int = 0,
    rules: Rules | None = None,
    pace: timedelta = PACE,
    at_once: int = 1,
) -> NewTable:
    """The table that Ann's form opens: `names` (Ann's first) and then `robots`."""
    new_seats = [NewSeat(name, address(name)) for name in names[1:]]
    new_seats += [NewSeat(f"Robot {n}", None) for n in range(robots)]
    rules = rules or preset_rules("classic", players=len(names) + robots)
    people = (names[0], address(names[0]), "Europe/Berlin", tuple(new_seats))
    return NewTable(*people, rules, pace, pace, Level.RULE, at_once=at_once)


def open_table(
    runtime: Runtime,
    names: tuple[str, ...] = NAMES,
    robots: int = 0,
    rules: Rules | None = None,
    pace: timedelta = PACE,
    at_once: int = 1,
) -> int:
    """A table that its host has confirmed, with the invitations out. Returns its id.

    New players want each turn by mail as it comes, so that tests see each letter.
    """
    runtime.now.pass_by(timedelta(minutes=15))  # only a few tables an hour may be opened from one address
    table = seating.open_table(runtime, new_table(names, robots, rules, pace, at_once), runtime.now())
    seating.confirm(runtime, ConfirmLink(table.id), runtime.now())
    with runtime.database.writing() as session:
        for player in session.exec(select(PlayerRow).where(PlayerRow.created_at == runtime.now())):
            player.frequency = Frequency.EVERY
    return table.id


def copied(make: Callable[Concatenate[Runtime, P], T]) -> Callable[Concatenate[Runtime, P], T]:
    """The same set-up, made once a process as it takes longer than most tests: a new SQLite file gets its rows."""

    @cache
    def made(args: tuple[Any, ...], more: tuple[tuple[str, Any], ...]) -> tuple[T, Rows, datetime, Any]:
        with TemporaryDirectory() as folder:
            runtime = make_runtime(Path(folder))
            result = make(runtime, *args, **dict(more))  # type: ignore[arg-type]
            with runtime.database.reading() as session:
                tables = SQLModel.metadata.sorted_tables
                found = {one.name: session.connection().execute(one.select()).mappings() for one in tables}
                rows = {name: [dict(row) for row in its] for name, its in found.items()}
            runtime.database.engine.dispose()
            return result, rows, runtime.now(), runtime.chance.getstate()

    @wraps(make)
    def copy_or_make(runtime: Runtime, *args: P.args, **more: P.kwargs) -> T:
        if not _is_new(runtime):
            return make(runtime, *args, **more)
        result, rows, runtime.now.at, chance = made(args, tuple(more.items()))
        runtime.chance.setstate(chance)
        _write(runtime, rows)
        return result

    return copy_or_make


def _is_new(runtime: Runtime) -> bool:
    """Whether nothing has happened on this runtime, whose database is SQLite's, and chance deals the cards."""
    if runtime.settings.database_url or runtime.now() != Clock().at or forced.deal is not deal:
        return False
    with runtime.database.reading() as session:
        return session.exec(select(PlayerRow.id)).first() is None and runtime.chance.getstate() == CHANCE.getstate()


def _write(runtime: Runtime, rows: Rows) -> None:
    """Writes rows into empty tables; Message-IDs follow from the key of the runtime."""
    ids = {row["message_id"]: message_id_of(runtime, row["dedupe"]) for row in rows["letter"]}
    own = [
        {**row, "message_id": ids[row["message_id"]], "thread_id": ids.get(row["thread_id"])} for row in rows["letter"]
    ]
    with runtime.database.writing() as session:
        for name, found in {**rows, "letter": own}.items():
            if found:
                session.connection().execute(SQLModel.metadata.tables[name].insert(), found)


@copied
def start_game(
    runtime: Runtime,
    names: tuple[str, ...] = NAMES,
    robots: int = 0,
    rules: Rules | None = None,
    pace: timedelta = PACE,
    at_once: int = 1,
) -> int:
    """A game whose players have all accepted. Returns its id."""
    table_id = open_table(runtime, names, robots, rules, pace, at_once)
    for seat in seats(runtime, table_id):
        if seat.state is SeatState.INVITED:
            link = InvitationLink(table_id, seat.seat, seat.player_id or 0)
            seating.accept(runtime, link, seat.name, "UTC", runtime.now())
    with runtime.database.reading() as session:
        game = seating.current_game(session, table_id)
    assert game is not None
    return game.id


def allow_advice(runtime: Runtime, game_id: int, *, allowed: bool = True) -> None:
    """The host of the game's table has set whether its players may ask the robot."""
    with runtime.database.writing() as session:
        store.load(session, game_id).table.suggestions = allowed


def give_waits(runtime: Runtime, game_id: int, *chosen: Wait | None) -> None:
    """Sets the waits of the first seats, as the opening form and the players would have."""
    with runtime.database.writing() as session:
        table_id = session.get_one(GameRow, game_id).table_id
        for number, wait in enumerate(chosen):
            session.get_one(SeatRow, (table_id, number)).wait = wait


def seats(runtime: Runtime, table_id: int) -> list[SeatRow]:
    with runtime.database.reading() as session:
        return list(table_seats(session, table_id))


def table(runtime: Runtime, table_id: int) -> TableRow:
    with runtime.database.reading() as session:
        return session.get_one(TableRow, table_id)


def load(runtime: Runtime, game_id: int) -> TableGame:
    """The game as it is."""
    with runtime.database.reading() as session:
        return store.load(session, game_id)


def load_to_change(runtime: Runtime, game_id: int) -> TableGame:
    """The same, with rows that a test may change without writing that to the database."""
    with runtime.database.writing() as session:
        return store.load(session, game_id)


def turn_link(runtime: Runtime, game_id: int, seat: int) -> TurnLink:
    """The link mailed to the player of `seat` for their current question."""
    stored = load(runtime, game_id)
    asked = due_of(stored.game, Seat(seat))
    assert asked is not None
    return due.turn_link(stored, Seat(seat), asked)


def play_link(runtime: Runtime, game_id: int, seat: int) -> PlayLink:
    """The link that a page has for the player of `seat`."""
    row = load(runtime, game_id).seats[seat]
    return PlayLink(row.table_id, seat, row.player_id or 0, row.visits)


def play_first(runtime: Runtime, game_id: int, way: TurnSource = TurnSource.PAGE) -> TableGame:
    """The game after one more decision: the first awaited player passes or plays their first cards."""
    stored = load(runtime, game_id)
    seat = stored.game.to_act[0]
    due = due_of(stored.game, seat)
    assert due is not None
    if stored.game.stage is Stage.PASS:
        turn: Decision = Pass(seat, Cards.of(list(stored.game.held[seat])[: stored.game.rules.pass_count]))
    elif stored.game.stage is Stage.MOON:
        turn = Moon(seat, MoonChoice.ADD)
    else:
        turn = Play(seat, next(iter(legal(stored.game, seat))))
    return taking.take_turn(runtime, game_id, due, turn, way, runtime.now())


def play_hand(runtime: Runtime, game_id: int) -> None:
    """Plays until the current hand is scored, asking nobody between its first tricks and its last two."""
    stored = load(runtime, game_id)
    scored = len(stored.game.scores)
    while stored.game.stage is Stage.PASS or len(stored.game.plays) < stored.game.rules.players:
        stored = play_first(runtime, game_id)
    if len(stored.game.scores) == scored:
        leap(runtime, game_id, lambda game: max(map(len, game.held)) <= 2 and not game.on_table)
    while len(load(runtime, game_id).game.scores) == scored:
        play_first(runtime, game_id)


def leap(runtime: Runtime, game_id: int, is_far_enough: Callable[[Game], bool]) -> None:
    """Plays on within a hand in one transaction, as one turn does with all its consequences."""
    with changing.game(runtime, game_id, runtime.now()) as game:
        before = game.stored
        while not is_far_enough(game.stored.game):
            (seat,) = game.stored.game.to_act
            game.append(Record(Play(seat, next(iter(legal(game.stored.game, seat)))), TurnSource.PAGE))
        for seat in map(Seat, range(before.game.rules.players)):
            note_turn(game.session, game.stored, seat, TurnSource.PAGE, game.now, was_live=False)
        advancing.advance(game, before)


def ask_all(runtime: Runtime) -> None:
    """Marks the queued letters as if a worker had sent them, so that everybody has been asked."""
    now = runtime.now()
    send = update(LetterRow).where(col(LetterRow.state) == LetterState.QUEUED, col(LetterRow.next_at) <= now)
    with runtime.database.writing() as session:
        session.exec(send.values(state=LetterState.SENT, next_at=None, sent_at=now))


def miss_deadline(runtime: Runtime, game_id: int) -> int:
    """Asks all awaited players and lets their deadline pass. Returns how many turns were played for them."""
    ask_all(runtime)
    runtime.now.at = max(runtime.now(), load(runtime, game_id).row.due_at or runtime.now())
    return due_games.play_for_absent(runtime, game_id)


def seat_link(runtime: Runtime, table_id: int, seat: int) -> SeatLink:
    player = seats(runtime, table_id)[seat].player_id
    assert player is not None
    return SeatLink(table_id, seat, player)


def opened(runtime: Runtime, kind: type[L], path: str) -> L:
    """Returns the target of the link in a path. Paths to one target differ if they were signed in different seconds."""
    return runtime.signer.read(kind, path.split("/")[2])


def letters(runtime: Runtime, kind: LetterKind | None = None) -> list[LetterRow]:
    """Every letter, or those of one kind, in the order in which they were queued."""
    with runtime.database.reading() as session:
        found = session.exec(select(LetterRow).order_by(LetterRow.id)).all()
    return [letter for letter in found if kind in (None, letter.kind)]


def first_letters(runtime: Runtime) -> list[LetterRow]:
    """The letters of a table that has just been opened, without those that remind, or tell its host of silence."""
    return [letter for letter in letters(runtime) if not letter.again and letter.kind is not LetterKind.SEATS]


def dump(runtime: Runtime) -> dict[str, object]:
    """Every row of every table."""
    with runtime.database.reading() as session:
        names = [table.name for table in SQLModel.metadata.sorted_tables]
        return {name: session.connection().execute(text(f"SELECT * FROM {name}")).fetchall() for name in names}


def make_due_games(runtime: Runtime, games: int, level: Level, *, each: int | None = None) -> None:
    """Makes that many games on empty tables; in each, a player is late to pass and three robots wait for their turn.

    The player is Ann in all of them, or in the first `each` games, and somebody else in every `each` that follow.
    """
    now = runtime.now()
    rules = preset_rules("classic")
    with runtime.database.writing() as session:
        each = each or games
        people = range(1, -(-games // each) + 1)
        called = [{"id": n, "address": f"ann{n if n > 1 else ''}@example.org", "name": "Ann"} for n in people]
        session.exec(insert(PlayerRow), params=[{**player, "created_at": now} for player in called])
        late_in = {n: 1 + (n - 1) // each for n in range(1, games + 1)}
        about = {"rules": rules, "pass_seconds": 86400, "play_seconds": 86400}
        about |= {"robots": level, "state": TableState.PLAYING, "created_at": now}
        tables = [{"id": n, "code": f"{n:05}", "host_id": player, **about} for n, player in late_in.items()]
        session.exec(insert(TableRow), params=tables)
        robots = [(name, None, SeatState.ROBOT) for name in ("Pip", "Ruby", "Jack")]
        seat_rows = [
            {"table_id": n, "seat": seat, "name": name, "player_id": player, "state": state}
            for n, late in late_in.items()
            for seat, (name, player, state) in enumerate([("Ann", late, SeatState.HOST), *robots])
        ]
        session.exec(insert(SeatRow), params=seat_rows)
        waits = {"state": GameState.PLAYING, "due_at": now - timedelta(hours=1), "wake_at": now, "started_at": now}
        waits |= {"number": 1, "turns": 1}
        session.exec(insert(GameRow), params=[{"id": n, "table_id": n, **waits} for n in late_in])
        dealt = {"number": 1, "source": TurnSource.FORCED, "at": now}
        cards = {n: deal(rules, Seat(0), random.Random(n)) for n in late_in}
        session.exec(insert(TurnRow), params=[{"game_id": n, "turn": cards[n], **dealt} for n in late_in])
