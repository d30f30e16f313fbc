"""The faults that `doctor` finds in broken rows, and those that it mends."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text
from sqlmodel import col, delete, update

from tests.cast import PACE, dump, letters, start_game
from tests.runtimes import make_runtime
from webapp import acts
from webapp.core.database import Database
from webapp.core.runtime import Runtime
from webapp.games.clock import way_in
from webapp.models import (
    GameRow,
    LetterKind,
    LetterRow,
    LetterState,
    OperatorAct,
    Pause,
    Stands,
    TableRow,
    TableState,
    TurnRow,
)
from webapp.operators.doctor import examine
from webapp.operators.mail_servers import State
from webapp.outbox import holding
from worker import postman

HOUR, NOW = timedelta(hours=1), timedelta()


def wrong(runtime, *, fix=False):
    """The names of the findings that something is wrong."""
    found = list(examine(runtime, runtime.now(), fix_by="Eve" if fix else None))
    return {str(one.text).partition(":")[0] for one in found if one.state is State.MISSING}


@pytest.fixture
def game(either_runtime):
    made = start_game(either_runtime)
    postman.deliver(either_runtime)
    return made


def change(runtime, statement):
    with runtime.database.writing() as session:
        session.exec(statement)


def test_the_doctor_finds_nothing_wrong_in_a_healthy_service(either_runtime, game):
    game.play_first()
    before = dump(either_runtime)
    assert wrong(either_runtime) == set()
    assert wrong(either_runtime, fix=True) == set()
    assert dump(either_runtime) == before


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        pytest.param("migrations", text("UPDATE alembic_version SET version_num = '0003'"), id="another version"),
        pytest.param("games", text("""UPDATE turn SET turn = '{"turn": "nonsense"}'"""), id="a turn that is none"),
        pytest.param("records", delete(TurnRow).where(col(TurnRow.number) == 2), id="a missing turn"),
        pytest.param("records", update(GameRow).values(turns=9), id="a wrong number of turns"),
        pytest.param("clocks", update(GameRow).values(due_at=None, wake_at=None), id="no deadline"),
        pytest.param("clocks", update(GameRow).values(wake_at=None), id="nothing wakes the game"),
        pytest.param("tables", update(TableRow).values(state=TableState.OVER), id="a game at a table that is over"),
        pytest.param("queue", update(LetterRow).values(state=LetterState.QUEUED, next_at=None), id="no time to go"),
    ],
)
def test_each_fault_is_found_under_its_name(either_runtime, game, name, broken):
    game.play_first()
    change(either_runtime, broken)
    before = dump(either_runtime)
    assert name in wrong(either_runtime)
    assert dump(either_runtime) == before


def test_a_fix_sets_clocks_and_sends_what_was_left_over(either_runtime, game):
    game.play_first()
    change(either_runtime, update(GameRow).values(due_at=None, wake_at=None))
    first = letters(either_runtime, LetterKind.TURNS)[0].id
    change(either_runtime, update(LetterRow).where(col(LetterRow.id) == first).values(state="queued", next_at=None))
    assert wrong(either_runtime) == {"clocks", "queue"}
    assert wrong(either_runtime, fix=True) == set()
    assert game.stored.row.due_at >= either_runtime.now() + PACE
    assert wrong(either_runtime) == set()
    with either_runtime.database.reading() as session:
        noted = {(row.by, row.act, acts.about_text(row).split()[0]) for row in acts.newest(session, 10)}
    assert noted == {("Eve", OperatorAct.FIX, what) for what in ("game", "letter")}


def test_a_paused_game_needs_no_deadline(either_runtime, game):
    change(either_runtime, update(GameRow).values(due_at=None, wake_at=None))
    change(either_runtime, update(TableRow).values(pause=Pause(Stands.HOST, either_runtime.now())))
    assert wrong(either_runtime) == set()


def test_a_deadline_that_nobody_acts_on_is_found(runtime):
    table = start_game(runtime)
    postman.deliver(runtime)
    runtime.now.at = table.due_at + PACE
    assert "overdue" in wrong(runtime)


def test_a_lost_key_is_found(runtime):
    start_game(runtime)
    other = make_runtime(runtime.settings.data_dir.parent / "other", secret_keys="x" * 40)
    assert wrong(
        Runtime(runtime.settings.model_copy(update={"secret_keys": other.settings.secret_keys}), runtime.now)
    ) >= {"keys"}


def test_a_clock_that_differs_from_the_database_is_found(either_runtime, monkeypatch):
    monkeypatch.setattr(Database, "time", lambda _: datetime.now(UTC) + timedelta(minutes=1))
    assert wrong(either_runtime) == {"clock"}


def test_held_mail_is_found(runtime):
    with runtime.database.writing() as session:
        holding.hold(session, "ann", runtime.now())
    assert wrong(runtime) == {"sending"}


def test_a_row_that_names_a_missing_one_is_found(runtime):
    start_game(runtime)
    with closing(sqlite3.connect(runtime.database.engine.url.database)) as connection:  # which sees to no references
        connection.execute("DELETE FROM game")
        connection.commit()
    assert "references" in wrong(runtime)


def test_a_database_that_does_not_answer_is_a_finding(tmp_path):
    lost = make_runtime(tmp_path / "lost", "postgresql://nobody@127.0.0.1:1/none?connect_timeout=1")
    assert wrong(lost) == {"database"}


@pytest.mark.parametrize(
    ("ago", "says"), [(None, "none has ever been read"), (HOUR, "cannot be read since"), (NOW, "")]
)
def test_the_doctor_says_whether_answers_by_mail_are_read(tmp_path, ago, says):
    by_mail = {"smtp_url": "smtp://127.0.0.1:9", "reply_domain": "in.hearts.localhost"}
    runtime = make_runtime(tmp_path / "var", **by_mail)
    if ago is not None:
        way_in.note_read(runtime, runtime.now() - ago)
    found = [str(one.text) for one in examine(runtime, runtime.now()) if one.state is State.MISSING]
    assert [says in text for text in found if text.startswith("answers")] == [True] * bool(says)
    runtime.database.engine.dispose()
