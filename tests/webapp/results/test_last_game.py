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
def table(runtime):
    """A game that is over."""
    return Table(runtime, newest(runtime, finished_table(runtime)).id)


def reminded(table, seat=CY):
    with table.runtime.database.reading() as session:
        stored = table.stored
        return last_game_of(session, stored, stored.seats[seat].player_id, "UTC")


def test_the_last_game_says_who_won_and_all_totals(runtime, table):
    found = reminded(table)
    totals = dict(zip(("Ann", "Bo", "Cy", "Di"), table.game.scores[-1].totals, strict=True))
    assert f" with {min(totals.values())} points each, after 1 hand." in found.sentence
    assert all(f"{name} {total}" in found.totals for name, total in totals.items())


def test_the_last_game_says_who_leads_the_table_since(runtime, table):
    table_id = table.table_id
    agree(runtime, table_id, *range(4))
    second = Table(runtime, newest(runtime, table_id).id)
    play_out(second)
    book.reckon_missing(runtime.database)
    assert reminded(table).lead == "", "of one game"
    assert " the table " in reminded(second).lead


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
def test_the_last_line_that_says_something_is_quoted(runtime, table, said, quoted):
    for seat, text in said:
        runtime.now.pass_by(timedelta(minutes=1))
        say(table, seat, text)
    found = reminded(table).quote
    assert (found and found.text) == quoted


@pytest.mark.parametrize("allowed", [Talk.NONE, Talk.PHRASES])
def test_no_line_is_quoted_where_none_may_be_typed(runtime, table, allowed):
    say(table, BO, "You will all regret this")
    with runtime.database.writing() as session:
        session.get_one(TableRow, table.table_id).talk = allowed
    assert reminded(table).quote is None


def test_no_line_from_before_the_game_is_quoted(runtime, table):
    say(table, BO, "You will all regret this")
    with runtime.database.writing() as session:
        load_row = session.merge(table.row)
        load_row.started_at = runtime.now() + timedelta(minutes=1)
    assert reminded(table).quote is None
