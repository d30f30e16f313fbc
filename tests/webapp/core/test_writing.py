"""How changed rows are written: what was changed, and nothing else."""

import pytest
from sqlalchemy import text
from sqlalchemy.orm.exc import StaleDataError

from tests.cast import start_game
from tests.statements import carried_out
from webapp.models import GameRow, PlayerRow, ReviewRow, SeatRow, TableRow


@pytest.fixture
def runtime(either_runtime):
    start_game(either_runtime)
    return either_runtime


@pytest.fixture
def statements(runtime):
    """The statements from now on, of which it returns those that change something."""
    carried = carried_out(runtime)
    return lambda: [one.text for one in carried if not one.text.startswith("SELECT")]


@pytest.fixture
def changed(runtime):
    """What was changed from now on: by statement, the table and the key of its row, if that has one column."""
    carried = carried_out(runtime)

    def found():
        updates = [(one.text.split()[1], each) for one in carried if one.text.startswith("UPDATE") for each in one.each]
        return [(table, each["key_0"] if isinstance(each, dict) else each[-1]) for table, each in updates]

    return found


def player(runtime, number=1):
    with runtime.database.reading() as session:
        return session.get_one(PlayerRow, number)


def test_one_statement_writes_what_was_changed_in_a_row(runtime, statements):
    with runtime.database.writing() as session:
        row = session.get_one(PlayerRow, 1)
        row.name, row.holidays = "Eve", [["2026-01-01", "2026-01-02"]]
    (statement,) = statements()
    assert "address" not in statement
    after = player(runtime)
    assert (after.name, after.holidays) == ("Eve", [["2026-01-01", "2026-01-02"]])
    assert player(runtime, 2).name == "Bo"


def test_a_row_of_a_key_of_two_columns_is_the_only_one_that_is_changed(runtime):
    with runtime.database.writing() as session:
        session.get_one(SeatRow, (1, 2)).plan = {"kind": "none"}
    with runtime.database.reading() as session:
        plans = [session.get_one(SeatRow, (1, seat)).plan for seat in range(4)]
    assert plans == [None, None, {"kind": "none"}, None]


def test_no_statement_writes_what_was_there_before(runtime, statements):
    with runtime.database.writing() as session:
        table = session.get_one(TableRow, 1)
        code, table.code = table.code, "ZZZZ"
        table.rules, table.code = dict(table.rules), code
    assert statements() == []


def test_a_value_can_be_taken_away(runtime):
    for value in ({"kind": "none"}, None):
        with runtime.database.writing() as session:
            session.get_one(PlayerRow, 1).plan = value
        assert player(runtime).plan == value


@pytest.mark.parametrize("players", [(1, 2, 3), (3, 2, 1), (2, 3, 1)])
def test_rows_are_written_in_one_order_whichever_was_changed_first(runtime, changed, players):
    with runtime.database.writing() as session:
        rows = [session.get_one(PlayerRow, number) for number in players]
        table, game = session.get_one(TableRow, 1), session.get_one(GameRow, 1)
        for row in rows:
            row.name = "Eve"
        table.code, game.names = "ZZZZ", ["Eve"]
    assert changed() == [("game", 1), *(("player", number) for number in (1, 2, 3)), ("card_table", 1)]


def test_one_statement_writes_all_rows_in_which_the_same_was_changed(runtime, statements):
    with runtime.database.writing() as session:
        *renamed, other = [session.get_one(PlayerRow, number) for number in (1, 2, 3, 4)]
        for row, name in zip(renamed, ("Eve", "Di", "Cy"), strict=True):
            row.name = name
        other.reminders = False
    assert len(statements()) == 2
    assert [player(runtime, number).name for number in (1, 2, 3, 4)] == ["Eve", "Di", "Cy", "Di"]
    assert not player(runtime, 4).reminders


def test_a_changed_row_may_refer_to_a_new_one(runtime):
    with runtime.database.writing() as session:
        created_at, seat = session.get_one(PlayerRow, 1).created_at, session.get_one(SeatRow, (1, 2))
        session.add(PlayerRow(id=50, address="eve@example.net", name="Eve", created_at=created_at))
        seat.player_id = 50
    assert player(runtime, 50).name == "Eve"
    with runtime.database.reading() as session:
        assert session.get_one(SeatRow, (1, 2)).player_id == 50


def test_changes_after_a_flush_are_written_too(runtime):
    with runtime.database.writing() as session:
        row = session.get_one(PlayerRow, 1)
        row.name = "Cy"
        session.flush()
        row.name, row.reminders = "Eve", False
    after = player(runtime)
    assert (after.name, after.reminders) == ("Eve", False)


def test_a_changed_row_can_be_read_after_its_transaction(runtime):
    with runtime.database.writing() as session:
        row = session.get_one(PlayerRow, 1)
        row.name = "Eve"
    assert (row.name, row.address) == ("Eve", player(runtime).address)


@pytest.mark.parametrize("hands", [(1,), (1, 2)], ids=["the only one", "one of two"])
def test_a_change_of_a_row_that_is_gone_fails_and_undoes_the_others(runtime, hands):
    with runtime.database.writing() as session:
        session.add_all([ReviewRow(game_id=1, hand=hand, opinions=[]) for hand in hands])

    def change() -> None:
        with runtime.database.writing() as session:
            row, *reviews = session.get_one(PlayerRow, 1), *(session.get_one(ReviewRow, (1, hand)) for hand in hands)
            row.name = "Eve"
            for review in reviews:
                review.opinions = [{}]
            session.connection().execute(text("DELETE FROM review WHERE hand = 1"))

    with pytest.raises(StaleDataError):
        change()
    assert player(runtime).name == "Ann"
