"""Sessions on the database: a snapshot to read from, and one transaction to write in."""

from datetime import timedelta

import pytest
from sqlmodel import col, select, text

from hearts.robot import Level
from tests.cast import start_game
from tests.due_games import make_due_games
from webapp.core.database import DatabaseDown, claim, in_batches, one_by_one
from webapp.games.record import store
from webapp.models import GameRow, GameState, InboundRow, PlayerRow


def test_a_session_that_reads_sees_one_moment_and_writes_nothing(either_runtime):
    table = start_game(either_runtime)
    with either_runtime.database.reading() as session:
        before = store.load(session, table.game_id)
        table.pass_all()
        session.get_one(PlayerRow, 1).name = "Eve"
        assert store.load(session, table.game_id).game == before.game
    after = table.stored
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


def test_each_batch_changes_its_rows_once_in_its_own_transaction(runtime):
    """Also rows that `find` would find again."""
    changed, sessions = [], set()

    def find(_session, last):
        return [number for number in range(1, 6) if number > last][:2]

    def change(session, ids):
        changed.append(list(ids))
        sessions.add(session)
        return len(ids)

    assert in_batches(runtime.database, find, change, "row") == 5
    assert changed == [[1, 2], [3, 4], [5]]
    assert len(sessions) == 3


def test_a_row_that_fails_holds_up_none_of_its_batch(runtime, caplog):
    changed = []

    def change(_session, ids):
        if 2 in ids:
            raise ZeroDivisionError
        changed.extend(ids)
        return len(ids)

    assert in_batches(runtime.database, lambda _, last: [1, 2, 3, 4][last:][:3], change, "row") == 3
    assert changed == [1, 3, 4]
    assert "row 2 failed" in caplog.text


def test_an_item_that_fails_is_put_off():
    done, put_off = [], []
    one_by_one("item", [0, 1, 2], lambda item: done.append(1 // item), put_off.append)
    assert (done, put_off) == ([1, 0], [0])


def test_no_item_is_tried_while_the_database_is_down():
    tried = []

    def fail(item):
        tried.append(item)
        raise DatabaseDown("it does not answer")

    with pytest.raises(DatabaseDown):
        one_by_one("item", [1, 2], fail, tried.append)
    assert tried == [1]


IS_OPEN = text("state = 'playing'")
LEASE = timedelta(minutes=5)


@pytest.fixture
def games(either_runtime):
    """Five games, of which the fifth is due first."""
    make_due_games(either_runtime, 5, Level.RULE)
    with either_runtime.database.writing() as session:
        for row in session.exec(select(GameRow)):
            row.wake_at = either_runtime.now() - timedelta(minutes=row.id)
    return either_runtime


def claimed(runtime, limit=9):
    with runtime.database.writing() as session:
        now = runtime.now()
        return claim(session, GameRow, col(GameRow.wake_at), IS_OPEN, now, limit, wake_at=now + LEASE)


def test_those_that_are_longest_due_are_claimed_first(games):
    assert claimed(games, 2) == [4, 5]
    assert claimed(games, 2) == [2, 3]
    assert claimed(games, 2) == [1]
    assert claimed(games, 2) == []


def test_a_claimed_row_is_due_again_only_after_its_lease(games):
    assert claimed(games) == [1, 2, 3, 4, 5]
    games.now.pass_by(LEASE - timedelta(seconds=1))
    assert claimed(games) == []
    games.now.pass_by(timedelta(seconds=1))
    assert claimed(games) == [1, 2, 3, 4, 5]


def test_what_is_closed_or_not_due_is_never_claimed(games):
    with games.database.writing() as session:
        session.get_one(GameRow, 1).state = GameState.OVER
        session.get_one(GameRow, 2).wake_at = games.now() + timedelta(seconds=1)
        session.get_one(GameRow, 3).wake_at = None
    assert claimed(games) == [4, 5]


def test_a_claim_never_exceeds_the_number_asked_for(either_runtime):
    """PostgreSQL chooses that by how many rows it believes there are: here one, while there are five."""
    now, is_unread = either_runtime.now(), text("handled_at IS NULL")
    for identities in ("a", "bcde"):
        with either_runtime.database.writing() as session:
            for one in identities:
                session.add(InboundRow(sender="", recipient="", identity=one, received_at=now, next_at=now))
            session.flush()
            if identities == "a":
                session.connection().execute(text("ANALYZE inbound"))
    for _ in range(5):
        with either_runtime.database.writing() as session:
            found = claim(session, InboundRow, col(InboundRow.next_at), is_unread, now, 1, next_at=now + LEASE)
        assert len(found) == 1
