"""The store: loads a game as it is or was, and appends what the rules allow."""

import pytest
from sqlmodel import func, select

from hearts.game import IllegalTurn, Stage
from hearts.seats import Seat
from hearts.turns import Moon, MoonChoice
from tests.cast import load, open_table, play_first, play_hand, start_game
from webapp.core.runtime import Runtime
from webapp.games import store
from webapp.games.records import Record
from webapp.models import TurnRow, TurnSource


def test_a_game_is_loaded_as_it_was_after_fewer_records(runtime: Runtime) -> None:
    game_id = start_game(runtime)
    then = play_first(runtime, game_id)
    play_hand(runtime, game_id)
    load(runtime, game_id)
    with runtime.database.reading() as session:
        assert store.load(session, game_id, turns=then.row.turns).cycle == then.cycle


def test_what_is_not_there_is_not_loaded(runtime: Runtime) -> None:
    table_id = open_table(runtime)
    with runtime.database.writing() as session:
        assert store.load_newest(session, table_id) is None
        assert store.load_running(session, table_id) is None
        with pytest.raises(LookupError, match="no game 9"):
            store.load(session, 9, lock=True)


def test_a_turn_that_the_rules_refuse_is_not_appended(runtime: Runtime) -> None:
    game_id = start_game(runtime)
    with runtime.database.writing() as session:
        stored = store.load(session, game_id, lock=True)
        turns, record = stored.row.turns, Record(Moon(Seat(0), MoonChoice.ADD), TurnSource.PAGE)
        for refuse in (store.check, lambda *of: store.append(session, *of, runtime.now())):
            with pytest.raises(IllegalTurn):
                refuse(stored, record)
        assert stored.row.turns == turns
        assert session.exec(select(func.count()).select_from(TurnRow)).one() == turns
    assert load(runtime, game_id).game.stage is Stage.PASS
