"""Statements that go to the driver as they are: they find and write what SQLAlchemy's would."""

from datetime import timedelta

import pytest
from sqlalchemy import Column, DateTime, Integer, MetaData, Table, bindparam, insert, text
from sqlalchemy.exc import IntegrityError
from sqlmodel import col, or_, select, update

from tests.cast import NAMES, start_game
from tests.statements import carried_out
from webapp.core.database import Database, DatabaseDown
from webapp.core.statements import Statement
from webapp.models import LetterRow, PlayerRow, TableRow, TurnRow, TurnSource

TURNS = select(TurnRow.number, TurnRow.turn, TurnRow.source, TurnRow.choice, TurnRow.at).where(
    TurnRow.game_id == bindparam("game")
)
PLAYERS = PlayerRow.__table__
NEW_PLAYER = insert(PLAYERS).inline()
REMINDING = Statement(update(PLAYERS).where(PLAYERS.c.name == bindparam("called")).values(reminders=False))
RENAMING = Statement(update(PLAYERS).where(PLAYERS.c.id == bindparam("player")).values(name=bindparam("called")))
NAMED = Statement(select(PlayerRow.id, PlayerRow.name).where(PlayerRow.name == bindparam("called")))


@pytest.fixture
def runtime(either_runtime):
    start_game(either_runtime)
    return either_runtime


def carry_out(runtime, statement, **about):
    with runtime.database.writing() as session:
        return Statement(statement).write(session, about)


def player(runtime, number):
    with runtime.database.reading() as session:
        return session.get_one(PlayerRow, number)


def test_it_finds_what_sqlalchemy_finds(runtime):
    with runtime.database.writing() as session:
        number = session.exec(select(TurnRow.game_id)).first()
        found, expected = Statement(TURNS).rows(session, {"game": number}), session.exec(TURNS, params={"game": number})
        assert found == [tuple(row) for row in expected]
        number, turn, source, choice, at = found[0]
        assert (number, turn["turn"], source, choice, at) == (1, "deal", TurnSource.FORCED, None, runtime.now())


def test_what_is_the_same_each_time_is_written_as_the_type_of_its_column_has_it(runtime):
    holidays = [["2026-01-01", "2026-01-02"]]
    assert carry_out(runtime, update(PLAYERS).where(PLAYERS.c.id == 2).values(holidays=holidays)) == 1
    assert player(runtime, 2).holidays == holidays


def test_parameters_are_not_those_of_another_time(runtime):
    carried = carried_out(runtime)
    with runtime.database.reading() as session:
        for name in NAMES:
            NAMED.rows(session, {"called": name})
    given = [each.values() if isinstance(each, dict) else each for one in carried for each in one.each]
    assert [list(values) for values in given] == [[name] for name in NAMES]


def test_what_nothing_is_about_finds_nothing(runtime):
    with runtime.database.reading() as session:
        assert NAMED.rows(session, {"called": "Eve"}) == []


def test_one_statement_serves_sessions_that_read_and_sessions_that_write(runtime):
    for session_of in (runtime.database.reading, runtime.database.writing):
        with session_of() as session:
            assert [NAMED.rows(session, {"called": name}) for name in NAMES[:2]] == [[(1, "Ann")], [(2, "Bo")]]


def test_it_writes_values_as_the_types_of_their_columns_have_them(runtime):
    seen, holidays = runtime.now() + timedelta(microseconds=1), [["2026-01-01", "2026-01-02"]]
    changing = update(PLAYERS).where(PLAYERS.c.id == bindparam("player"))
    changing = changing.values(seen_at=bindparam("now"), holidays=bindparam("days"), unreachable_at=None)
    assert carry_out(runtime, changing, player=2, now=seen, days=holidays) == 1
    after = player(runtime, 2)
    assert (after.seen_at, after.holidays, after.unreachable_at) == (seen, holidays, None)
    assert player(runtime, 1).holidays != holidays


@pytest.mark.parametrize(("names", "rows"), [((), 0), (("Ann",), 1), (("Ann", "Cy"), 2)])
def test_it_says_how_many_rows_it_wrote(runtime, names, rows):
    those = or_(*(col(PlayerRow.name) == name for name in (*names, "nobody")))
    assert carry_out(runtime, update(PLAYERS).where(those).values(reminders=False)) == rows


def test_it_writes_several_rows_at_once_and_all_of_them_or_none(runtime):
    those = [{"player": number, "called": f"{number}th"} for number in (1, 2, 50)]
    carried = carried_out(runtime)
    with runtime.database.writing() as session:
        assert RENAMING.write(session, *those) == 2
    assert [len(one.each) for one in carried if one.text.startswith("UPDATE")] == [3]
    assert [player(runtime, number).name for number in (1, 2, 3)] == ["1th", "2th", "Cy"]
    given = {"address": "eve@example.net", "name": "Eve", "created_at": runtime.now()}
    with pytest.raises(IntegrityError), runtime.database.writing() as session:
        Statement(NEW_PLAYER).write(session, given, given)
    with runtime.database.reading() as session:
        assert NAMED.rows(session, {"called": "Eve"}) == []


NEXT = {
    "a statement": lambda session: NAMED.rows(session, {"called": "Eve"}),
    "one of SQLAlchemy's": lambda session: session.exec(select(PlayerRow.id)).all(),
    "one for several rows": lambda session: REMINDING.write(session, {"called": "Eve"}, {"called": "Dora"}),
    "a savepoint": lambda session: session.begin_nested(),
    "the commit": lambda session: None,
}


@pytest.mark.parametrize("then", NEXT)
def test_what_is_put_is_written_before_the_next_statement_or_the_commit(runtime, then):
    with runtime.database.writing() as session:
        RENAMING.put(session, {"player": 1, "called": "Eve"})
        RENAMING.put(session, {"player": 1, "called": "Dora"})
        RENAMING.put(session, {"player": 2, "called": "Eve"})
        found = NEXT[then](session)
        assert found == {"a statement": [(2, "Eve")], "one for several rows": 2}.get(then, found)
    assert [player(runtime, number).name for number in (1, 2)] == ["Dora", "Eve"]


@pytest.mark.parametrize("then", NEXT)
def test_what_is_put_and_refused_fails_with_the_next_statement_or_the_commit(runtime, then):
    def fail() -> None:
        with runtime.database.writing() as session:
            RENAMING.put(session, {"player": 1, "called": "Eve"})
            Statement(NEW_PLAYER).put(session, {"address": taken, "name": "Eve", "created_at": runtime.now()})
            NEXT[then](session)

    taken = player(runtime, 1).address
    with pytest.raises(IntegrityError):
        fail()
    assert player(runtime, 1).name == "Ann"
    assert carry_out(runtime, update(PLAYERS).where(PLAYERS.c.id == 2).values(reminders=False)) == 1


def test_what_is_put_is_undone_with_its_session_or_its_savepoint(runtime):
    def fail() -> None:
        with runtime.database.writing() as session:
            RENAMING.put(session, {"player": 1, "called": "Eve"})
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    with runtime.database.writing() as session:
        RENAMING.put(session, {"player": 2, "called": "Eve"})
        inner = session.begin_nested()
        RENAMING.put(session, {"player": 3, "called": "Eve"})
        inner.rollback()
    assert [player(runtime, number).name for number in (1, 2, 3)] == ["Ann", "Eve", "Cy"]


def test_what_an_insert_gets_no_value_for_is_what_a_new_row_has(runtime):
    given = {"address": "eve@example.net", "name": "Eve", "created_at": runtime.now()}
    assert carry_out(runtime, NEW_PLAYER, **given) == 1
    with runtime.database.writing() as session:
        session.add(PlayerRow(address="eve@example.org", name="Eve", created_at=given["created_at"]))
    with runtime.database.reading() as session:
        past, by_orm = session.exec(select(PlayerRow).where(PlayerRow.name == "Eve").order_by(col(PlayerRow.id)))
    other = {"id", "address", "_sa_instance_state"}
    values = [{key: value for key, value in vars(row).items() if key not in other} for row in (past, by_orm)]
    assert values[0] == values[1]


def test_what_it_writes_is_undone_with_its_session(runtime):
    def fail() -> None:
        with runtime.database.writing() as session:
            Statement(update(PLAYERS).values(name=bindparam("called"))).write(session, {"called": "Eve"})
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert player(runtime, 1).name == "Ann"


def test_what_the_database_refuses_is_an_error_of_sqlalchemy_that_quotes_no_values(runtime):
    given = {"address": player(runtime, 1).address, "name": "a secret", "created_at": runtime.now()}
    with pytest.raises(IntegrityError) as error:
        carry_out(runtime, NEW_PLAYER, **given)
    assert "INSERT INTO player" in str(error.value)
    assert "a secret" not in str(error.value)
    assert player(runtime, 1).name == "Ann"


def test_a_missing_parameter_is_an_error_and_nothing_is_written(runtime):
    def ask() -> None:
        with runtime.database.writing() as session:
            session.get_one(PlayerRow, 1).name = "Eve"
            NAMED.rows(session, {})

    with pytest.raises(KeyError, match="called"):
        ask()
    assert player(runtime, 1).name == "Ann"


def test_a_connection_that_is_lost_meanwhile_is_the_databases_outage_and_is_not_used_again(postgres_url):
    database = Database(postgres_url)

    def ask() -> None:
        with database.reading() as session, database.writing() as other:
            (own,) = session.connection().execute(text("SELECT pg_backend_pid()")).one()
            other.connection().execute(text(f"SELECT pg_terminate_backend({own}, 10000)"))
            NAMED.rows(session, {"called": "Ann"})

    with pytest.raises(DatabaseDown):
        ask()
    with database.reading() as session:
        assert NAMED.rows(session, {"called": "Ann"}) == []
    assert database.engine.pool.checkedout() == 0
    database.engine.dispose()


def test_a_statement_that_differs_each_time_is_refused(runtime):
    varying = Statement(select(TableRow.id).where(col(TableRow.id).in_(bindparam("ids", expanding=True))))
    with runtime.database.reading() as session, pytest.raises(AssertionError, match="differs"):
        varying.rows(session, {"ids": [1, 2]})


def test_a_default_that_is_computed_for_each_row_is_refused(runtime):
    made = Table("made", MetaData(), Column("id", Integer), Column("at", DateTime, default=lambda: None))
    with pytest.raises(AssertionError, match=r"made\.at is computed"):
        carry_out(runtime, insert(made).inline(), id=1)


def test_no_letter_and_no_turn_has_such_a_default():
    defaults = [column.default for kind in (LetterRow, TurnRow) for column in kind.__table__.c]
    assert all(default is None or default.is_scalar for default in defaults)
