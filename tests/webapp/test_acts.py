"""Notes of acts: what they were about, that only what is committed is logged, and how long they are kept."""

import logging
from datetime import timedelta

import pytest

from tests.cast import start_game
from tests.webapp.noted import noted
from webapp import acts
from webapp.models import OperatorAct, OperatorActRow
from worker import scheduler


class Stopped(Exception):
    """An error that ends a transaction before its commit."""


def logged(caplog):
    return [record.fields for record in caplog.records if record.msg == "operator act"]


@pytest.mark.parametrize(
    ("about", "text"),
    [
        ({}, ""),
        ({"game_id": 3}, "game 3"),
        ({"player_id": 2}, "player 2"),
        ({"letter_id": 7}, "letter 7"),
        ({"letter_id": 7, "game_id": 3}, "game 3, letter 7"),
    ],
)
def test_an_act_says_what_it_was_about_by_number(about, text):
    assert acts.about_text(OperatorActRow(act=OperatorAct.FIX, by="ann", **about)) == text


def test_the_newest_acts_come_first_up_to_the_limit(runtime):
    start_game(runtime)
    with runtime.database.writing() as session:
        for number in (1, 2, 3):
            acts.note_act(session, OperatorAct.RENAME, "ann", runtime.now(), player_id=number)
        session.flush()
        assert [row.player_id for row in acts.newest(session, 2)] == [3, 2]
        assert acts.newest(session, 0) == []


def test_a_committed_note_is_logged_with_numbers_alone(runtime, caplog):
    table = start_game(runtime)
    caplog.set_level(logging.INFO, "webapp.events")
    with runtime.database.writing() as session:
        acts.note_act(session, OperatorAct.END, "ann", runtime.now(), game_id=table.game_id, letter_id=None)
        assert logged(caplog) == []
    assert logged(caplog) == [{"act": "games end", "by": "ann", "game": table.game_id}]


def note_and_stop(runtime):
    with runtime.database.writing() as session:
        acts.note_act(session, OperatorAct.HOLD, "ann", runtime.now())
        session.flush()
        raise Stopped


def test_a_rolled_back_act_is_neither_kept_nor_logged(runtime, caplog):
    caplog.set_level(logging.INFO, "webapp.events")
    with pytest.raises(Stopped):
        note_and_stop(runtime)
    assert noted(runtime) == []
    assert logged(caplog) == []


@pytest.mark.parametrize(("days", "left"), [(364, 1), (366, 0)])
def test_a_note_is_kept_for_a_year(runtime, days, left):
    with runtime.database.writing() as session:
        acts.note_act(session, OperatorAct.HOLD, "ann", runtime.now())
    runtime.now.pass_by(timedelta(days=days))
    scheduler.delete_old(runtime)
    assert len(noted(runtime)) == left
