"""PostgreSQL as the service needs it: broken connections cost nobody an error, and waiting has limits."""

import socket
import threading

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import update

from tests.races import at_once
from webapp.core.database import LIMITS, Database, DatabaseDown
from webapp.models import PlayerRow


def opened(url):
    database = Database.at(url)
    yield database
    database.engine.dispose()


@pytest.fixture
def database(postgres_url):
    yield from opened(postgres_url)


@pytest.fixture
def another(postgres_url):
    """The same, with connections of its own."""
    yield from opened(postgres_url)


def value(session, statement):
    return session.connection().execute(text(statement)).scalar_one()


def test_a_session_that_reads_may_not_write(database):
    with pytest.raises(DatabaseDown), database.reading() as session:
        session.exec(update(PlayerRow).values(name="Eve"))


def test_a_failed_statement_ends_its_session_only(database):
    with pytest.raises(DBAPIError), database.reading() as session:
        value(session, "SELECT 1 / 0")
    with database.reading() as session:
        assert value(session, "SELECT 42") == 42


def test_a_connection_closed_by_the_server_causes_no_error(database, another):
    with database.reading() as session:
        first = value(session, "SELECT pg_backend_pid()")
    with another.writing() as session:
        value(session, f"SELECT pg_terminate_backend({first}, 10000)")
    with database.reading() as session:
        assert value(session, "SELECT pg_backend_pid()") != first


def test_a_server_that_connects_and_says_nothing_is_an_outage(caplog):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql://u:secret@127.0.0.1:{silent.getsockname()[1]}/x?connect_timeout=2"
        for database in opened(url):
            with pytest.raises(DatabaseDown), database.reading() as session:
                session.connection()
    assert [record.getMessage() for record in caplog.records] == [
        "the database does not answer (ConnectionTimeout); everything waits until it is back"
    ]


def test_a_dead_connection_is_given_up_unless_the_url_disagrees(postgres_url):
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


def test_locks_of_a_lost_machine_are_released_after_a_while(postgres_url, another, monkeypatch):
    monkeypatch.setitem(LIMITS, "idle_in_transaction_session_timeout", "300ms")
    taken = []

    def take():
        with another.writing() as session:
            take_lock(session)
            taken.append(True)

    for short in opened(postgres_url):
        with pytest.raises(DatabaseDown, match="IdleInTransactionSessionTimeout"):
            lose(short, take)
        assert taken
        with short.writing() as session:
            take_lock(session)


def test_a_statement_waiting_too_long_for_a_lock_fails(database, postgres_url, monkeypatch):
    monkeypatch.setitem(LIMITS, "lock_timeout", "300ms")
    with database.writing() as session:
        take_lock(session)
        for short in opened(postgres_url):
            with pytest.raises(DatabaseDown, match="LockNotAvailable"), short.writing() as waiting:
                take_lock(waiting)


def test_one_of_two_deadlocked_transactions_fails_as_in_an_outage(database, another):
    def lock_both(of, first, second):
        with of.writing() as session:
            session.exec(text(f"SELECT pg_advisory_xact_lock({first})"))
            gate.wait()
            session.exec(text(f"SELECT pg_advisory_xact_lock({second})"))

    gate = threading.Barrier(2)
    ends = at_once(lambda: lock_both(database, 1, 2), lambda: lock_both(another, 2, 1))
    assert sorted(map(str, ends)) == ["DeadlockDetected", "None"]
