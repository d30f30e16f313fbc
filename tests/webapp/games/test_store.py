"""Locks of a game on PostgreSQL. On SQLite a transaction that writes is the only one."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from tests.cast import make_runtime, start_game
from tests.servers import LONG, wait_until
from webapp.games import store
from webapp.models import GameRow

NOT_FOR_EVER = f"SET LOCAL lock_timeout = '{LONG + 10:.0f}s'"  # a test that fails still holds the lock as the pool ends
BLOCKED = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"


@pytest.fixture
def runtime(tmp_path, postgres_url):
    made = make_runtime(tmp_path / "var", postgres_url)
    yield made
    made.database.engine.dispose()


@contextmanager
def loading(runtime, game_id):
    """While it lasts, another transaction loads the game to write, and waits for a lock: what it gets in the end."""

    def load():
        with runtime.database.writing() as session:
            session.connection().execute(text(NOT_FOR_EVER))
            found = store.load(session, game_id, lock=True)
            return found.table.code, found.seats[1].name, found.row.turns

    def waits():
        with runtime.database.reading() as session:  # anew: during a transaction, the answer stays what it was
            return session.connection().execute(text(BLOCKED)).scalar_one()

    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(load)
        wait_until("it waits", waits)
        yield found


def test_who_had_to_wait_for_a_game_gets_it_as_it_is_by_then(runtime):
    game_id = start_game(runtime)
    with runtime.database.writing() as session:
        before = store.load(session, game_id, lock=True)
        turns = before.row.turns
        with loading(runtime, game_id) as found:
            before.table.code, before.seats[1].name = "NEWER", "Eve"
            before.row.turns += 1
            session.commit()
            assert found.result() == ("NEWER", "Eve", turns + 1)


def test_the_table_is_locked_before_its_game(runtime):
    game_id = start_game(runtime)
    with runtime.database.writing() as session:
        game = session.get_one(GameRow, game_id, with_for_update={"key_share": True})
        with loading(runtime, game_id) as found:
            with runtime.database.writing() as other, pytest.raises(OperationalError, match="could not obtain lock"):
                other.connection().execute(text("SELECT FROM card_table FOR NO KEY UPDATE NOWAIT"))
            session.commit()
            assert found.result()[2] == game.turns
