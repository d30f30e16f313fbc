"""SQLite: what each connection sets, when transactions begin, and who may write."""

import sqlite3
from contextlib import closing, contextmanager
from threading import Thread, Timer

import pytest
from sqlalchemy import text

from tests.servers import LONG
from webapp.core.database import Database, sqlite_engine

LOCKED = "database is locked"


@pytest.fixture
def file(tmp_path):
    return tmp_path / "some.db"


@pytest.fixture
def database(file):
    made = Database.at(f"sqlite:///{file}")
    with made.writing() as session:
        session.connection().execute(text("CREATE TABLE made (number)"))
    yield made
    made.engine.dispose()


@contextmanager
def impatient(file):
    """Another program's connection, which waits for nobody."""
    with closing(sqlite3.connect(file, isolation_level=None, timeout=0)) as other:
        yield other


def numbers(session):
    return session.connection().execute(text("SELECT number FROM made")).scalars().all()


def write(session, number):
    session.connection().execute(text("INSERT INTO made VALUES (:number)"), {"number": number})


@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 15_000)]
)
def test_every_connection_is_set_up(database, pragma, value):
    with database.engine.connect() as one, database.engine.connect() as other:
        assert [each.execute(text(f"PRAGMA {pragma}")).scalar() for each in (one, other)] == [value] * 2


def test_a_new_files_first_process_waits_for_a_writer(file):
    other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    other.execute("CREATE TABLE made (number)")
    committing = Timer(0.3, other.commit)
    committing.start()
    database = Database.at(f"sqlite:///{file}")
    with database.reading() as session:
        assert session.connection().execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert numbers(session) == []
    committing.join()
    database.engine.dispose()
    other.close()


def test_who_reads_sees_one_moment_and_lets_others_write(database, file):
    with database.reading() as session, impatient(file) as other:
        assert numbers(session) == []
        other.execute("INSERT INTO made VALUES (1)")
        assert numbers(session) == []
    with database.reading() as session:
        assert numbers(session) == [1]


def test_a_coming_writer_keeps_other_writers_out_from_the_beginning(database, file):
    with impatient(file) as other:
        with database.writing() as session:
            with pytest.raises(sqlite3.OperationalError, match=LOCKED):
                other.execute("INSERT INTO made VALUES (1)")
            write(session, 2)
            assert other.execute("SELECT * FROM made").fetchall() == []
        assert other.execute("SELECT * FROM made").fetchall() == [(2,)]


def test_writers_of_a_process_and_of_others_take_turns(file, database):
    there = Database.at(f"sqlite:///{file}")

    def count_up(through):
        for _ in range(20):
            with through.writing() as session:
                write(session, len(numbers(session)))

    writers = [Thread(target=count_up, args=[through]) for through in (database, database, there)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(LONG)
    with database.reading() as session:
        assert numbers(session) == list(range(60))
    there.engine.dispose()


def test_a_transaction_without_a_session_is_one_too(database):
    def fail():
        with database.engine.begin() as connection:
            connection.execute(text("INSERT INTO made VALUES (1)"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with database.reading() as session:
        assert numbers(session) == []


def test_an_engine_has_the_address_that_it_was_given(file):
    assert str(sqlite_engine(f"sqlite:///{file}").url) == f"sqlite:///{file}"
    assert not file.exists(), "nobody has connected yet"
