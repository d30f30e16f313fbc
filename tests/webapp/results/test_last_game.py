"""The last game of a table, as those who are asked to play another are reminded of it."""

from datetime import timedelta

import pytest

from tests.table import Table
from tests.webapp.games.talking import BO, CY, say
from tests.webapp.tables.another_game import agree, finished_table, newest, play_out
from webapp.games import book
from webapp.models import TableRow, Talk
from webapp.results.result import last_game_of


@pytest.fixture
def game_id(runtime):
    """A game that is over."""
    return newest(runtime, finished_table(runtime)).id


def reminded(table, seat=CY):
    with table.runtime.database.reading() as session:
        stored = table.stored
        return last_game_of(session, stored, stored.seats[seat].player_id, "UTC")


def test_the_last_game_says_who_won_and_all_totals(runtime, game_id):
    found = reminded(Table(runtime, game_id))
    totals = dict(zip(("Ann", "Bo", "Cy", "Di"), Table(runtime, game_id).stored.game.scores[-1].totals, strict=True))
    assert f" with {min(totals.values())} points each, after 1 hand." in found.sentence
    assert all(f"{name} {total}" in found.totals for name, total in totals.items())


def test_the_last_game_says_who_leads_the_table_since(runtime, game_id):
    table_id = Table(runtime, game_id).stored.table.id
    agree(runtime, table_id, *range(4))
    second = newest(runtime, table_id).id
    play_out(Table(runtime, second))
    book.reckon_missing(runtime.database)
    assert reminded(Table(runtime, game_id)).lead == "", "of one game"
    assert " the table " in reminded(Table(runtime, second)).lead


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        pytest.param([(BO, "You will all regret this")], "You will all regret this", id="a line"),
        pytest.param([(BO, "You will all regret this"), (CY, "Good game")], "You will all regret this", id="no phrase"),
        pytest.param([(BO, "You will all regret this"), (CY, "hm, ok")], "You will all regret this", id="some words"),
        pytest.param([(BO, "You will all regret this"), (CY, "No, Bo will")], "No, Bo will", id="the last one"),
        pytest.param([(BO, "Take your time")], None, id="only phrases"),
        pytest.param([], None, id="nothing"),
    ],
)
def test_the_last_line_that_says_something_is_quoted(runtime, game_id, said, quoted):
    for seat, text in said:
        runtime.now.pass_by(timedelta(minutes=1))
        say(Table(runtime, game_id), seat, text)
    found = reminded(Table(runtime, game_id)).quote
    assert (found and found.text) == quoted


@pytest.mark.parametrize("allowed", [Talk.NONE, Talk.PHRASES])
def test_no_line_is_quoted_where_none_may_be_typed(runtime, game_id, allowed):
    say(Table(runtime, game_id), BO, "You will all regret this")
    with runtime.database.writing() as session:
        session.get_one(TableRow, Table(runtime, game_id).stored.row.table_id).talk = allowed
    assert reminded(Table(runtime, game_id)).quote is None


def test_no_line_from_before_the_game_is_quoted(runtime, game_id):
    say(Table(runtime, game_id), BO, "You will all regret this")
    with runtime.database.writing() as session:
        load_row = session.merge(Table(runtime, game_id).stored.row)
        load_row.started_at = runtime.now() + timedelta(minutes=1)
    assert reminded(Table(runtime, game_id)).quote is None
