"""Sessions on the database: a snapshot to read from, and one transaction to write in."""

import pytest

from tests.cast import load, start_game
from tests.playing import pass_all
from webapp.games.record import store
from webapp.models import PlayerRow


def test_a_session_that_reads_sees_one_moment_and_writes_nothing(either_runtime):
    game_id = start_game(either_runtime)
    with either_runtime.database.reading() as session:
        before = store.load(session, game_id)
        pass_all(either_runtime, game_id)
        session.get_one(PlayerRow, 1).name = "Eve"
        assert store.load(session, game_id).game == before.game
    after = load(either_runtime, game_id)
    assert len(after.records) > len(before.records)
    with either_runtime.database.reading() as session:
        assert session.get_one(PlayerRow, 1).name == "Ann"


def test_a_failed_transaction_leaves_nothing(either_runtime):
    start_game(either_runtime)

    def fail():
        with either_runtime.database.writing() as session:
            session.get_one(PlayerRow, 1).name = "Eve"
            session.flush()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with either_runtime.database.reading() as session:
        assert session.get_one(PlayerRow, 1).name == "Ann"
