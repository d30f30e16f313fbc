"""PostgreSQL as the service needs it: what stays prepared, and which connections are tested before they are used."""

import socket

import pytest
from psycopg import Column
from sqlalchemy import bindparam, delete, make_url, text
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.exc import DBAPIError
from sqlmodel import col, select, update

from webapp.core import postgresql
from webapp.core.database import Database, DatabaseDown
from webapp.core.statements import Statement
from webapp.models import PlayerRow

LEAVING = Statement(delete(PlayerRow).where(col(PlayerRow.id) == bindparam("player")))
OFTEN = 10  # more often than a statement is asked before the driver prepares it


def opened(url):
    database = Database(url)
    yield database
    database.engine.dispose()


@pytest.fixture
def database(postgres_url):
    yield from opened(postgres_url)


@pytest.fixture
def another(postgres_url):
    """The same, with connections of its own."""
    yield from opened(postgres_url)


@pytest.fixture
def pings(monkeypatch):
    """The connections that are tested by asking the server."""
    asked = []
    ping = PGDialect_psycopg.do_ping

    def noted(self, connection):
        asked.append(connection)
        return ping(self, connection)

    monkeypatch.setattr(PGDialect_psycopg, "do_ping", noted)
    return asked


def value(session, statement):
    return session.connection().execute(text(statement)).scalar_one()


def prepared(database):
    """How often statements have been carried out that stayed prepared."""
    with database.reading() as session:
        return value(session, "SELECT sum(generic_plans + custom_plans) FROM pg_prepared_statements")


@pytest.mark.parametrize("reads_by_orm", [False, True])
def test_a_statement_stays_prepared_when_a_session_that_reads_ends(database, reads_by_orm):
    for _ in range(OFTEN):
        with database.reading() as session:
            value(session, "SELECT 42")
            if reads_by_orm:
                session.get(PlayerRow, 1)
    assert prepared(database)


def test_a_statement_stays_prepared_between_writing_and_reading(database):
    for _ in range(OFTEN):
        with database.writing() as session:
            value(session, "SELECT 42")
        with database.reading() as session:
            session.get(PlayerRow, 1)
    assert prepared(database)


def test_a_session_that_reads_may_not_write(database):
    with pytest.raises(DatabaseDown), database.reading() as session:
        session.exec(update(PlayerRow).values(name="Eve"))


def test_a_transaction_that_the_server_refuses_to_begin_is_an_error(database, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr("webapp.core.postgresql.BEGIN_READING", b"BEGIN AS YOU LIKE")
        with pytest.raises(DBAPIError, match="syntax error"), database.reading() as session:
            value(session, "SELECT 42")
    with database.reading() as session:
        assert value(session, "SELECT 42") == 42


def test_a_failed_statement_ends_its_session_only(database):
    with pytest.raises(DBAPIError), database.reading() as session:
        value(session, "SELECT 1 / 0")
    with database.reading() as session:
        assert value(session, "SELECT 42") == 42


def test_a_connection_that_was_just_used_is_used_again_without_asking(database, pings):
    for _ in range(OFTEN):
        with database.reading() as session:
            assert value(session, "SELECT 42") == 42
    assert len(pings) <= 1  # the first time, it has never been tested


def test_a_connection_that_was_not_used_for_long_is_tested(database, pings, monkeypatch):
    monkeypatch.setattr("webapp.core.postgresql.UNSEEN_SECONDS", 0)
    for _ in range(OFTEN):
        with database.reading() as session:
            value(session, "SELECT 42")
    assert len(pings) == OFTEN - 1  # a new one needs no test


def test_a_connection_that_the_server_has_closed_costs_nobody_an_error(database, another):
    for _ in range(OFTEN):  # so that it was just used, and is not tested for its age
        with database.reading() as session:
            first = value(session, "SELECT pg_backend_pid()")
    with another.writing() as session:
        value(session, f"SELECT pg_terminate_backend({first}, 10000)")
    with database.reading() as session:
        assert value(session, "SELECT pg_backend_pid()") != first


def test_columns_have_names_for_whoever_asks(database):
    with database.reading() as session:
        found = session.connection().execute(text("SELECT 1 AS one, 'zwei' AS two"))
        assert [(column.name, len(found.cursor.description)) for column in found.cursor.description] == [
            ("one", 2),
            ("two", 2),
        ]
        assert found.mappings().one() == {"one": 1, "two": "zwei"}


def test_what_finds_no_rows_has_no_columns(database):
    with database.reading() as session:
        assert not session.connection().execute(text("SET LOCAL work_mem = '5MB'")).returns_rows


def test_columns_are_not_described_for_a_statement_that_was_asked_before(database, monkeypatch):
    def ask() -> None:
        with database.reading() as session:
            session.exec(select(PlayerRow).where(PlayerRow.id == 1)).all()

    ask()
    described = []
    monkeypatch.setattr(Column, "__init__", lambda *about: described.append(about))
    ask()
    assert described == []


def test_what_is_put_goes_to_the_server_with_the_next_statement(database, another):
    def newest() -> str:
        with another.reading() as watching:
            return value(watching, f"SELECT query FROM pg_stat_activity WHERE pid = {pid}")

    with database.writing() as session:
        pid = value(session, "SELECT pg_backend_pid()")
        LEAVING.put(session, {"player": 1})
        assert newest() == "SELECT pg_backend_pid()"
        value(session, "SELECT 42")
        assert newest() == "SELECT 42"


def test_nothing_that_is_put_is_written_if_the_server_closes_the_connection(database, another):
    def fail() -> None:
        with database.writing() as session:
            pid = value(session, "SELECT pg_backend_pid()")
            LEAVING.put(session, {"player": 1})
            with another.writing() as killing:
                value(killing, f"SELECT pg_terminate_backend({pid}, 10000)")

    with pytest.raises(DatabaseDown):
        fail()
    with database.writing() as session:
        assert LEAVING.write(session, {"player": 1}) == 0


def test_a_statement_that_was_put_stays_prepared(database):
    for _ in range(OFTEN):
        with database.writing() as session:
            LEAVING.put(session, {"player": 1})
    assert prepared(database)


def test_a_server_that_connects_and_says_nothing_is_an_outage(caplog):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql://u:secret@127.0.0.1:{silent.getsockname()[1]}/x?connect_timeout=2"
        for database in opened(url):
            with pytest.raises(DatabaseDown), database.reading() as session:
                session.connection()
    assert [record.getMessage() for record in caplog.records] == [
        "the database does not answer (ConnectionTimeout); everything waits until it is back"
    ]


def test_a_connection_to_a_network_that_brings_nothing_back_is_given_up_unless_the_url_says_otherwise(postgres_url):
    asked = make_url(postgres_url).update_query_dict({"keepalives_count": "9"}).render_as_string(hide_password=False)
    for url, count in ((postgres_url, "3"), (asked, "9")):
        for database in opened(url):
            with database.engine.connect() as connection:
                waits = connection.connection.driver_connection.info.get_parameters()
            assert (waits["connect_timeout"], waits["tcp_user_timeout"]) == ("5", "10000")
            assert waits["keepalives_count"] == count


def take_lock(session):
    value(session, "SELECT pg_advisory_xact_lock(1)")


def lose(database, take_its_lock):
    """Takes the lock, stays idle until another session has taken it, and goes on."""
    with database.writing() as lost:
        take_lock(lost)
        take_its_lock()
        take_lock(lost)


def test_what_a_lost_machine_had_locked_is_free_after_a_while(database, another, monkeypatch):
    monkeypatch.setattr(postgresql, "IDLE_SECONDS", 0.3)
    taken = []

    def take():
        with another.writing() as session:
            take_lock(session)
            taken.append(True)

    with pytest.raises(DatabaseDown, match="IdleInTransactionSessionTimeout"):
        lose(database, take)
    assert taken
    with database.writing() as session:
        take_lock(session)


def test_a_statement_that_waits_too_long_for_a_lock_fails_as_in_an_outage(database, another, monkeypatch):
    monkeypatch.setattr(postgresql, "LOCK_SECONDS", 0.3)
    with database.writing() as session:
        take_lock(session)
        with pytest.raises(DatabaseDown, match="LockNotAvailable"), another.writing() as waiting:
            take_lock(waiting)
