"""Operating a table: an act is noted under the operator's name, in its own transaction or not at all."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from sqlmodel import select

from tests.cast import dump, open_table, start_game
from tests.webapp.noted import noted
from webapp.core.say import Refused
from webapp.core.tokens import LinkInvalid
from webapp.models import OperatorAct, OperatorActRow
from webapp.tables import hosting


def pause(runtime, table_id, *, paused=True):
    hosting.pause_as_operator(runtime, table_id, paused=paused, by="ann", now=runtime.now())


def end(runtime, table_id):
    hosting.end_game_as_operator(runtime, table_id, runtime.now(), by="ann")


def test_each_act_is_noted_with_its_operator_and_game(runtime):
    start_game(runtime)
    table = start_game(runtime)
    table_id = table.table_id
    pause(runtime, table_id)
    pause(runtime, table_id, paused=False)
    end(runtime, table_id)
    about = f"game {table.game_id}"
    assert noted(runtime) == [(act, about) for act in (OperatorAct.PAUSE, OperatorAct.GO_ON, OperatorAct.END)]
    with runtime.database.reading() as session:
        assert {row.by for row in session.exec(select(OperatorActRow))} == {"ann"}


@pytest.mark.parametrize("act", [pause, end])
def test_a_missing_table_is_an_invalid_link_and_no_act(runtime, act):
    with pytest.raises(LinkInvalid):
        act(runtime, 99)
    assert noted(runtime) == []


def test_without_a_game_pauses_are_refused_and_ends_change_nothing(runtime):
    table_id = open_table(runtime)
    before = dump(runtime)
    with pytest.raises(Refused, match="No game is played"):
        pause(runtime, table_id)
    end(runtime, table_id)
    assert dump(runtime) == before


def test_an_act_that_cannot_be_noted_does_not_happen(runtime, run):
    table = start_game(runtime)
    with runtime.database.writing() as session:
        session.connection().execute(text("DROP TABLE operator_act"))
    assert isinstance(run("games", "pause", table.game_id).exception, OperationalError)
    assert table.stored.table.pause is None
