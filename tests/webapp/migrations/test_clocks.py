"""Clocks as one value: running games keep their deadlines to the second, and what was left while they stood still."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from alembic import command
from sqlalchemy import text

from tests.runtimes import make_runtime
from tests.table import Table
from tests.webapp.migrations.first_tables import LAST_STATE, make_first_tables
from tests.webapp.migrations.rows import read_dump, write_rows
from webapp.games.asked.whose_turn import awaited
from webapp.migrations import config_for, upgrade
from webapp.models import GameState, TableRow
from webapp.play import course

ASKED = datetime(2026, 3, 2, 10, 0, 1, 234567, tzinfo=UTC)  # a Monday
NOW, DUE = ASKED + timedelta(hours=3), ASKED + timedelta(days=1, minutes=17)


@pytest.fixture
def brought_over(empty, tmp_path):
    """Returns a function that sets the clocks of all games before the migration, and returns the runtime after it."""
    url = empty.engine.url.render_as_string(hide_password=False)
    made = []

    def bring(due_at, first_asked=None, moved_by=0, pause=None, live_seconds=None):
        make_first_tables(url)
        write_rows(empty.engine, read_dump(LAST_STATE))
        command.upgrade(config_for(url), "0057")
        with empty.engine.begin() as connection:
            values = {"pause": pause and json.dumps(pause), "live": live_seconds}
            connection.execute(text("UPDATE card_table SET pause = :pause, live_seconds = :live"), values)
            for game_id, first in _asked(connection, first_asked):
                for table, key in (("game", "id"), ("hand_clock", "game_id")):
                    sets = "due_at = :due, asked_at = :asked, moved_by = :moved, first_asked = :first"
                    clock = {"due": due_at, "asked": ASKED, "moved": moved_by, "first": first, "game": game_id}
                    connection.execute(text(f"UPDATE {table} SET {sets} WHERE {key} = :game"), clock)
        upgrade(url)
        made.append(make_runtime(tmp_path / "var", url))
        made[0].now.at = NOW
        return made[0]

    yield bring
    for runtime in made:
        runtime.database.engine.dispose()


def _asked(connection, more):
    """The games, with when their players were asked, an hour before the deadline was set; None: that is not noted."""
    found = connection.execute(text("SELECT game.id, seat, player_id FROM game JOIN seat USING (table_id)")).all()
    at = (ASKED - timedelta(hours=1)).isoformat()
    for game_id in sorted({game_id for game_id, _, _ in found}):
        seats = {str(seat): [[player, at]] for game, seat, player in found if game == game_id and player}
        yield game_id, None if more is None else json.dumps({"seats": seats, **more})


def waiting(runtime):
    """The hands that wait for players, after a change that moves no deadline."""
    found = [Table(runtime, game_id).stored for game_id in (2, 3)]
    for stored in found:
        assert stored.row.state is GameState.PLAYING
        with Table(runtime, stored.id).changing() as game:
            course.clock_changed(game)
    hands = [hand for stored in found for hand in Table(runtime, stored.id).stored.open_hands()]
    return [hand for hand in hands if awaited(hand)]


@pytest.mark.parametrize(
    ("first", "moved_by"),
    [(None, 0), ({}, 0), ({}, 3600), ({"resumed_at": ASKED.isoformat()}, 60)],
    ids=["not noted who was asked", "asked", "a late mail", "after a pause"],
)
def test_a_running_deadline_stays_to_the_second(brought_over, first, moved_by):
    hands = waiting(brought_over(DUE, first, moved_by))
    assert {hand.row.at_once for hand in hands} == {1, 4}
    assert {(hand.clock.due_at, hand.row.due_at) for hand in hands} == {(DUE, DUE)}


def test_a_paused_game_has_the_time_that_was_left(brought_over):
    stopped = ASKED + timedelta(hours=1)
    first = {"stopped": stopped.isoformat(), "due_at": DUE.isoformat()}
    runtime = brought_over(None, first, pause={"why": "host", "since": stopped.isoformat()})
    assert {hand.clock.due_at for hand in waiting(runtime)} == {None}
    with runtime.database.writing() as session:
        for table_id in (2, 3):
            session.get_one(TableRow, table_id).pause = None
    left = DUE - stopped
    assert min(hand.clock.due_at for hand in waiting(runtime)) >= runtime.now() + left


def test_a_slow_game_played_live_gets_its_time_back(brought_over):
    first = {"stopped": ASKED.isoformat(), "due_at": DUE.isoformat()}
    due = NOW + timedelta(minutes=1)
    runtime = brought_over(due, first, live_seconds=60)
    hands = waiting(runtime)
    assert due in {hand.clock.due_at for hand in hands}
    for hand in hands:
        with Table(runtime, hand.id).changing() as game:
            course.part(game)
    assert min(hand.clock.due_at for hand in waiting(runtime)) >= runtime.now() + (DUE - ASKED)
