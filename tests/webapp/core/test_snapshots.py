"""Sessions that only read: what they find together, and keep."""

import gc
from contextlib import nullcontext
from datetime import timedelta

import pytest
from sqlalchemy import inspect
from sqlmodel import select

from tests.cast import open_table, play_hand, start_game
from tests.statements import carried_out
from webapp.games.rows import game_rows, newest_rows
from webapp.models import GameRow, PlayerRow, SeatRow, TableRow

BO = 1


@pytest.fixture
def said(either_runtime):
    """The statements from now on."""
    return carried_out(either_runtime)


def values(row):
    return {column.key: getattr(row, column.key) for column in inspect(type(row)).mapper.column_attrs}


def test_a_session_that_reads_needs_each_row_once(either_runtime, said):
    start_game(either_runtime)
    said.clear()
    with either_runtime.database.reading() as session:
        for _ in range(3):
            assert session.get_one(PlayerRow, 1).name == "Ann"
            gc.collect()
    assert len([one for one in said if one.text.startswith("SELECT")]) == 1


@pytest.mark.parametrize("by", ["nothing", "a finding", "the ORM", "both"])
def test_a_session_that_reads_gives_its_connection_back_whatever_it_has_read(either_runtime, by):
    game_id, database = start_game(either_runtime), either_runtime.database
    reading = pytest.raises(LookupError) if by == "both" else nullcontext()
    with reading, database.reading() as session:
        if by in ("a finding", "both"):
            assert game_rows(session, game_id).of_game.id == game_id
        if by in ("the ORM", "both"):
            assert session.exec(select(PlayerRow)).first()
        assert database.engine.pool.checkedout() == (by != "nothing")
        if by == "both":
            raise LookupError
    assert database.engine.pool.checkedout() == 0


def test_what_is_found_and_what_the_orm_reads_is_of_one_moment(either_runtime):
    game_id = start_game(either_runtime)
    with either_runtime.database.reading() as session:
        before = game_rows(session, game_id).table.talk
        with either_runtime.database.writing() as other:
            other.get_one(PlayerRow, 1).name = "Eve"
        assert session.exec(select(PlayerRow.name).where(PlayerRow.id == 1)).one() == "Ann"
        assert game_rows(session, game_id).table.talk == before


def test_rows_that_are_found_together_hold_what_each_holds_alone(either_runtime):
    game_id = start_game(either_runtime)
    play_hand(either_runtime, game_id)  # so that there is a checkpoint
    now = either_runtime.now()
    with either_runtime.database.writing() as session:
        seat, player = session.get_one(SeatRow, (1, BO)), session.get_one(PlayerRow, 2)
        seat.plan, seat.here_at, player.seen_at, player.daily_at = {"asks": "never"}, now, now, 9
        session.get_one(GameRow, game_id).due_at = now + timedelta(microseconds=1)
    with either_runtime.database.reading() as session:
        found = game_rows(session, game_id, reader=BO)
        together = [found.table, found.of_game, *found.seats, session.get_one(PlayerRow, 2)]
    with either_runtime.database.writing() as session:
        alone = [one for kind in (TableRow, GameRow) for one in session.exec(select(kind))]
        alone += [*session.exec(select(SeatRow).order_by(SeatRow.seat)), session.get_one(PlayerRow, 2)]
        assert [values(one) for one in together] == [values(one) for one in alone]
        assert [{key: type(value) for key, value in values(one).items()} for one in together] == [
            {key: type(value) for key, value in values(one).items()} for one in alone
        ]
    assert together[1].checkpoint


def test_a_row_that_was_found_with_others_is_not_asked_for_again(either_runtime, said):
    game_id = start_game(either_runtime)
    said.clear()
    with either_runtime.database.reading() as session:
        found = game_rows(session, game_id, reader=BO)
        assert session.get_one(PlayerRow, found.seats[BO].player_id).name == "Bo"
        assert session.get(SeatRow, (found.table.id, BO)) is found.seats[BO]
        assert session.get_one(TableRow, found.table.id) is found.table
        assert session.get_one(GameRow, game_id) is game_rows(session, game_id).game
        assert len([one for one in said if one.text.startswith("SELECT")]) == 2
        assert session.get_one(PlayerRow, 1).name == "Ann", "who was not found with them is read"
        assert session.get(PlayerRow, 99) is None


def test_what_an_outer_join_does_not_find_is_none(either_runtime):
    table_id = open_table(either_runtime)
    with either_runtime.database.reading() as session:
        assert newest_rows(session, table_id, reader=BO).game is None


def test_a_row_that_was_found_to_be_read_cannot_be_changed(either_runtime):
    game_id = start_game(either_runtime)
    with either_runtime.database.reading() as session:
        found = game_rows(session, game_id)
    for row in (found.table, found.game, found.seats[0]):
        with pytest.raises(AttributeError):
            row.state = None


def test_a_row_that_was_found_to_be_changed_is_written(either_runtime):
    game_id = start_game(either_runtime)
    with either_runtime.database.writing() as session:
        game_rows(session, game_id).seats[BO].name = "Eve"
    with either_runtime.database.reading() as session:
        assert game_rows(session, game_id).seats[BO].name == "Eve"
