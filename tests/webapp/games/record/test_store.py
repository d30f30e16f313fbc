"""The store: loads a game as it is or was, and appends what the rules allow."""

from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlmodel import col, func, select, update

from hearts.cards import Cards
from hearts.cycle import replay_hands
from hearts.game import IllegalTurn, Stage
from hearts.seats import Seat
from hearts.turns import Moon, MoonChoice, Pass
from tests.cast import open_table, start_game
from tests.runtimes import Clock, make_runtime
from tests.statements import turns_read
from tests.table import Table
from webapp.core.runtime import Runtime
from webapp.games.record import store
from webapp.games.record.changing import Transaction
from webapp.games.record.rows import game_rows
from webapp.games.record.store import Record
from webapp.models import GameRow, TurnRow, TurnSource


def test_a_game_is_loaded_as_it_was_after_fewer_records(runtime: Runtime) -> None:
    table = start_game(runtime)
    then = table.play_first()
    table.play_hand()
    table.load()
    with runtime.database.reading() as session:
        assert store.load(session, table.game_id, turns=then.row.turns).cycle == then.cycle


def test_a_load_without_a_lock_leaves_out_later_turns(tmp_path: Path, postgres_url: str) -> None:
    runtime, other = (make_runtime(tmp_path / name, postgres_url) for name in ("var", "other"))
    table = start_game(runtime)
    with other.database.writing() as session:  # of a process that has not loaded the game yet
        rows = game_rows(session, table.game_id)
        table.play_first()
        stored = store.of_rows(session, rows)
        assert len(stored.records) == stored.row.turns
    assert table.stored.turns == stored.row.turns + 1
    for one in (runtime, other):
        one.database.engine.dispose()


def test_what_is_not_there_is_not_loaded(runtime: Runtime) -> None:
    table_id = open_table(runtime)
    with runtime.database.writing() as session:
        assert store.load_newest(session, table_id) is None
        assert Transaction(session, runtime, runtime.now()).running(table_id) is None
        for load_it in (partial(store.load, session), Transaction(session, runtime, runtime.now()).game):
            with pytest.raises(LookupError, match="no game 9"):
                load_it(9)


def test_a_turn_that_the_rules_refuse_is_not_appended(runtime: Runtime) -> None:
    table = start_game(runtime)
    with table.changing() as game:
        turns, record = game.row.turns, Record(Moon(Seat(0), MoonChoice.ADD), TurnSource.PAGE)
        for refuse in (partial(store.check, game.stored), game.append):
            with pytest.raises(IllegalTurn):
                refuse(record)
        assert game.row.turns == turns
        assert game.session.exec(select(func.count()).select_from(TurnRow)).one() == turns
    assert table.game.stage is Stage.PASS


@pytest.fixture
def statements(runtime: Runtime) -> list[tuple]:
    return turns_read(runtime)


def another(runtime: Runtime) -> Runtime:
    """Another process on the same database."""
    return Runtime(runtime.settings, Clock())


def folded_anew(table: Table) -> object:
    stored = table.stored
    named = ((record.hand, record.turn) for record in stored.records)
    return replay_hands(stored.game.rules, stored.row.at_once, named)


@pytest.mark.parametrize("at_once", [1, 4])
def test_a_game_played_elsewhere_is_the_same_in_every_process(runtime: Runtime, at_once: int) -> None:
    table = start_game(runtime, at_once=at_once)
    reader = another(runtime)
    for _ in range(30):
        table.play_first()
        kept = table.on(reader).stored
        assert (
            kept.cycle
            == table.on(reader).stored.cycle
            == folded_anew(table.on(reader))
            == table.on(another(runtime)).stored.cycle
        )
        assert [record.hand for record in kept.records] == [
            one.hand for one in table.on(another(runtime)).stored.records
        ]
    reader.database.engine.dispose()


def test_of_a_game_seen_before_only_new_records_are_read(runtime: Runtime, statements: list[tuple]) -> None:
    table = start_game(runtime)
    table.play_hand()
    turns = table.row.turns
    statements.clear()
    load_locked(table)
    table.load()
    assert statements == []
    table.on(another(runtime)).play_first()
    load_locked(table)
    load_locked(table)
    assert statements == [(table.game_id, turns, turns + 1)] * 2, "what a turn has read may be rolled back"
    statements.clear()
    table.load()
    table.load()
    assert statements == [(table.game_id, turns, turns + 1)]


def load_locked(table: Table) -> None:
    with table.changing():
        pass


def test_what_was_rolled_back_is_not_kept(runtime: Runtime) -> None:
    table = start_game(runtime)
    with pytest.raises(ZeroDivisionError):
        _pass_and_fail(table)
    other = another(runtime)
    after = table.on(other).play_first()  # passes other cards, as the same record
    assert table.records == after.records
    other.database.engine.dispose()


def test_a_game_reusing_a_number_after_a_restore_is_reread(runtime: Runtime, statements: list[tuple]) -> None:
    table = start_game(runtime)
    table.load()
    with runtime.database.writing() as session:
        later = runtime.now() + timedelta(days=1)
        session.exec(update(GameRow).where(col(GameRow.id) == table.game_id).values(started_at=later))
    statements.clear()
    table.load()
    assert statements[0][1] == 0, "all records are read anew"


def test_a_process_keeps_no_more_than_it_may(runtime: Runtime, monkeypatch, statements: list[tuple]) -> None:
    games = [start_game(runtime) for _ in range(3)]
    records = games[0].row.turns
    monkeypatch.setattr(store, "MOST_KEPT", 2 * records)
    fresh = another(runtime)
    for table in games:
        table.on(fresh).load()
    kept = store._kept[fresh.database.engine.pool]
    assert kept.currsize <= 2 * records
    assert set(kept) == {table.game_id for table in games[1:]}
    fresh.database.engine.dispose()


def _pass_and_fail(table: Table) -> None:
    with table.changing() as game:
        turns = game.stored.turns
        game.append(Record(_last_pass(game.stored), store.TurnSource.PAGE))
        game.session.flush()
        assert store.load(game.session, table.game_id).turns == turns + 1
        raise ZeroDivisionError


def _last_pass(stored: store.TableGame) -> Pass:
    seat = stored.game.to_act[0]
    return Pass(seat, Cards.of(list(stored.game.held[seat])[-stored.game.rules.pass_count :]))
