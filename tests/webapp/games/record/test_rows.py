"""The rows of a table and its game: which are read together, and how they are locked."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from sqlmodel import select

from tests.cast import NAMES, open_table, start_game
from tests.runtimes import make_runtime
from tests.servers import LONG, wait_until
from webapp.games.record import store
from webapp.games.record.changing import Transaction
from webapp.games.record.rows import game_rows, newest_rows, waits_for_host
from webapp.models import GameRow, PlayerRow, SeatState, TableState

NOT_FOR_EVER = f"SET LOCAL lock_timeout = '{LONG + 10:.0f}s'"  # a test that fails still holds the lock as the pool ends
BLOCKED = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"


@pytest.fixture
def runtime(tmp_path, postgres_url):
    made = make_runtime(tmp_path / "var", postgres_url)
    yield made
    made.database.engine.dispose()


def waits(runtime):
    """Whether a transaction waits for a lock."""
    with runtime.database.reading() as session:  # anew: during a transaction, the answer stays what it was
        return session.connection().execute(text(BLOCKED)).scalar_one()


@contextmanager
def loading(table):
    """While it lasts, another transaction loads the game to write, and waits for a lock: what it gets in the end."""

    def load():
        with table.runtime.database.writing() as session:
            session.connection().execute(text(NOT_FOR_EVER))
            as_before = store.load(session, table.game_id)
            found = Transaction(session, table.runtime, table.runtime.now()).game(table.game_id).stored
            assert found.row is as_before.row
            return found.table.code, found.seats[1].name, found.row.turns

    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(load)
        wait_until("it waits", lambda: waits(table.runtime))
        yield found


def test_a_game_waited_for_is_loaded_as_it_then_is(runtime):
    table = start_game(runtime)
    with runtime.database.writing() as session:
        before = Transaction(session, runtime, runtime.now()).game(table.game_id).stored
        turns = before.row.turns
        with loading(table) as found:
            before.table.code, before.seats[1].name = "NEWER", "Eve"
            before.row.turns += 1
            session.commit()
            assert found.result() == ("NEWER", "Eve", turns + 1)


def test_the_table_is_locked_before_its_game(runtime):
    table = start_game(runtime)
    with runtime.database.writing() as session:
        game = session.get_one(GameRow, table.game_id, with_for_update={"key_share": True})
        with loading(table) as found:
            with runtime.database.writing() as other, pytest.raises(OperationalError, match="could not obtain lock"):
                other.connection().execute(text("SELECT FROM card_table FOR NO KEY UPDATE NOWAIT"))
            session.commit()
            assert found.result()[2] == game.turns


def test_players_are_locked_after_their_game_in_numerical_order(runtime):
    table = start_game(runtime)
    with runtime.database.writing() as session:
        for seat in Transaction(session, runtime, runtime.now()).game(table.game_id).seats:
            seat.player_id = len(NAMES) - seat.seat

    def lock():
        with runtime.database.writing() as session:
            Transaction(session, runtime, runtime.now()).game(table.game_id)

    with runtime.database.writing() as session, ThreadPoolExecutor(1) as pool:
        session.exec(select(PlayerRow).where(PlayerRow.id == 3).with_for_update(key_share=True)).one()
        locking = pool.submit(lock)
        wait_until("it waits", lambda: waits(runtime))
        with runtime.database.writing() as other:
            free = "SELECT id FROM player ORDER BY id FOR NO KEY UPDATE SKIP LOCKED"
            assert other.connection().execute(text(free)).scalars().all() == [4]
            with pytest.raises(OperationalError, match="could not obtain lock"):
                other.connection().execute(text("SELECT FROM game FOR NO KEY UPDATE NOWAIT"))
        session.commit()
        locking.result()


def test_a_player_seated_during_the_wait_is_locked_too(runtime):
    table = start_game(runtime)
    newcomer = start_game(runtime, ("Eve",), robots=3).stored.seats[0].player_id

    def lock():
        with runtime.database.writing() as session:
            Transaction(session, runtime, runtime.now()).game(table.game_id)
            with runtime.database.writing() as other:
                free = "SELECT id FROM player ORDER BY id FOR NO KEY UPDATE SKIP LOCKED"
                return other.connection().execute(text(free)).scalars().all()

    with runtime.database.writing() as session, ThreadPoolExecutor(1) as pool:
        seat = Transaction(session, runtime, runtime.now()).game(table.game_id).seats[1]
        found = pool.submit(lock)
        wait_until("it waits", lambda: waits(runtime))
        seat.player_id = newcomer
        session.commit()
        assert newcomer not in found.result()


def test_a_game_of_robots_is_locked_without_players(runtime):
    table = start_game(runtime)
    with runtime.database.writing() as session:
        for seat in Transaction(session, runtime, runtime.now()).game(table.game_id).seats:
            seat.player_id = None
    with runtime.database.writing() as session:
        Transaction(session, runtime, runtime.now()).game(table.game_id)
        with runtime.database.writing() as other, pytest.raises(OperationalError, match="could not obtain lock"):
            other.connection().execute(text("SELECT FROM game FOR NO KEY UPDATE NOWAIT"))


def test_a_new_table_has_rows_but_a_missing_one_none(runtime):
    table_id = open_table(runtime)
    with runtime.database.reading() as session:
        found = newest_rows(session, table_id)
        assert (found.table.id, found.game) == (table_id, None)
        assert [seat.name for seat in found.seats] == list(NAMES)
        assert newest_rows(session, table_id + 1) is None
        with pytest.raises(LookupError, match="no game 9"):
            game_rows(session, 9)


def test_a_tables_newest_game_has_the_highest_number(runtime):
    table = start_game(runtime)
    with runtime.database.writing() as session:
        first = session.get_one(GameRow, table.game_id)
        session.add(GameRow(**{**dict(first), "id": None, "number": 2}))
    with runtime.database.reading() as session:
        assert newest_rows(session, first.table_id).of_game.number == 2
        assert game_rows(session, table.game_id).of_game.number == 1


INVITING, PLAYING = TableState.INVITING, TableState.PLAYING
HOST, HERE, ROBOT, OPEN = SeatState.HOST, SeatState.ACCEPTED, SeatState.ROBOT, SeatState.OPEN


@dataclass
class Table:
    state: TableState


@dataclass
class Seat:
    state: SeatState
    by_link: bool = False


@pytest.mark.parametrize(
    ("state", "last", "waits"),
    [
        pytest.param(INVITING, Seat(HERE, by_link=True), True, id="a guest by the link"),
        pytest.param(INVITING, Seat(OPEN, by_link=True), False, id="a free seat"),
        pytest.param(INVITING, Seat(HERE), False, id="no guest by the link"),
        pytest.param(INVITING, Seat(ROBOT), False, id="a robot"),
        pytest.param(PLAYING, Seat(HERE, by_link=True), False, id="a game that has begun"),
    ],
)
def test_a_table_filled_by_link_waits_for_its_host(state, last, waits):
    assert waits_for_host(Table(state), [Seat(HOST), Seat(ROBOT), last]) is waits
