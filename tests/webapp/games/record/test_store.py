"""The store: loads a game as it is or was, and appends what the rules allow."""

from functools import partial
from pathlib import Path

import pytest
from sqlmodel import func, select

from hearts.game import IllegalTurn, Stage
from hearts.seats import Seat
from hearts.turns import Moon, MoonChoice
from tests.cast import load, open_table, start_game
from tests.playing import play_first, play_hand
from tests.runtimes import make_runtime
from webapp.core.runtime import Runtime
from webapp.games.record import changing, store
from webapp.games.record.changing import Transaction
from webapp.games.record.records import Record
from webapp.games.record.rows import game_rows
from webapp.models import TurnRow, TurnSource


def test_a_game_is_loaded_as_it_was_after_fewer_records(runtime: Runtime) -> None:
    game_id = start_game(runtime)
    then = play_first(runtime, game_id)
    play_hand(runtime, game_id)
    load(runtime, game_id)
    with runtime.database.reading() as session:
        assert store.load(session, game_id, turns=then.row.turns).cycle == then.cycle


def test_a_load_without_a_lock_leaves_out_later_turns(tmp_path: Path, postgres_url: str) -> None:
    runtime, other = (make_runtime(tmp_path / name, postgres_url) for name in ("var", "other"))
    game_id = start_game(runtime)
    with other.database.writing() as session:  # of a process that has not loaded the game yet
        rows = game_rows(session, game_id)
        play_first(runtime, game_id)
        stored = store.of_rows(session, rows)
        assert len(stored.records) == stored.row.turns
    assert load(runtime, game_id).turns == stored.row.turns + 1
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
    game_id = start_game(runtime)
    with changing.game(runtime, game_id, runtime.now()) as game:
        turns, record = game.row.turns, Record(Moon(Seat(0), MoonChoice.ADD), TurnSource.PAGE)
        for refuse in (partial(store.check, game.stored), game.append):
            with pytest.raises(IllegalTurn):
                refuse(record)
        assert game.row.turns == turns
        assert game.session.exec(select(func.count()).select_from(TurnRow)).one() == turns
    assert load(runtime, game_id).game.stage is Stage.PASS
