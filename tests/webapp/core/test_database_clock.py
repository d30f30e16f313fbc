"""All processes tell the time of the database's clock, however wrong their own is."""

import logging
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from time import sleep

import pytest

from tests.chaos.keeper import CLOCKS
from tests.servers import ROOT
from webapp.core import database_clock
from webapp.core.database import Database, DatabaseDown
from webapp.core.database_clock import LOOK_AGAIN, LOOK_EVERY, DatabaseClock

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
TELL = """
from webapp.core.start import runtime_from_environment
print(runtime_from_environment().now().isoformat())
"""


class Machine:
    """A machine's clocks, as variables, instead of the modules `time` and `datetime`."""

    def __init__(self) -> None:
        self.ticks, self.wrong = 1000.0, 0.0

    def monotonic(self) -> float:
        return self.ticks

    def time(self) -> float:
        return self.now(UTC).timestamp()

    def now(self, _: object) -> datetime:
        return self.right + timedelta(seconds=self.wrong)

    @property
    def right(self) -> datetime:
        return NOON + timedelta(seconds=self.ticks)


class Right:
    """A database whose clock is right, which takes `seconds` to answer; None while it is down."""

    def __init__(self, machine: Machine) -> None:
        self.looks, self.seconds = 0, 0.0
        self.is_down = False
        self._machine = machine

    def time(self) -> datetime:
        self.looks += 1
        if self.is_down:
            raise DatabaseDown("gone")
        self._machine.ticks += self.seconds * 3 / 4
        found = self._machine.right
        self._machine.ticks += self.seconds / 4
        return found


@pytest.fixture
def machine(monkeypatch):
    made = Machine()
    monkeypatch.setattr(database_clock, "time", made)
    monkeypatch.setattr(database_clock, "datetime", made)
    return made


@pytest.fixture
def database(machine):
    return Right(machine)


@pytest.fixture
def clock(database):
    return DatabaseClock(lambda: database)


@pytest.mark.parametrize("wrong", [-180, 0, 180])
def test_the_time_is_the_database_s(clock, machine, wrong):
    machine.wrong = wrong
    assert clock() == machine.right


def test_the_database_is_asked_once_a_minute(clock, machine, database):
    for machine.ticks in range(1000, 1000 + 3 * int(LOOK_EVERY)):
        clock()
    assert database.looks == 3


def test_a_clock_that_is_set_meanwhile_makes_no_difference(clock, machine, database):
    clock()
    for machine.wrong in (90, -90, 0):
        assert clock() == machine.right
    assert database.looks == 4


def test_a_clock_that_drifts_is_followed(clock, machine):
    for minute in range(60):
        machine.ticks, machine.wrong = 1000 + minute * LOOK_EVERY, minute * 0.5
        assert abs(clock() - machine.right) < SECOND


def test_while_the_database_is_down_the_last_correction_holds(clock, machine, database):
    machine.wrong = 90
    clock()
    database.is_down = True
    machine.ticks += LOOK_EVERY
    assert [clock() == machine.right for _ in range(3)] == [True] * 3
    assert database.looks == 2, "it is not asked at every call"
    database.is_down, machine.wrong = False, 80.5
    machine.ticks += LOOK_AGAIN
    assert clock() == machine.right


def test_a_process_that_starts_without_the_database_goes_by_its_own_clock_until_it_is_back(clock, machine, database):
    database.is_down, machine.wrong = True, 90
    assert clock() == machine.right + 90 * SECOND
    database.is_down = False
    machine.ticks += LOOK_AGAIN
    assert clock() == machine.right


def test_a_right_clock_is_left_alone_however_long_the_answer_takes(clock, machine, database):
    """Else the time would jump with every look."""
    for database.seconds in (0, 0.01, 3, 20):
        clock()
        machine.ticks += LOOK_EVERY
        assert clock() == machine.right


def test_a_slow_answer_is_taken_as_of_the_middle_of_the_wait(clock, machine, database):
    machine.wrong, database.seconds = 90, 4
    assert abs(clock() - machine.right) <= SECOND


def test_a_wrong_clock_is_logged_once_and_so_is_that_it_is_right_again(clock, machine, caplog):
    caplog.set_level(logging.INFO)
    for machine.wrong in (4, 90, 90, 0, 0, -90):
        machine.ticks += LOOK_EVERY
        clock()
    assert [record.getMessage() for record in caplog.records] == [
        "this machine's clock is 90 seconds ahead of the database's, which is used",
        "this machine's clock is right again",
        "this machine's clock is 90 seconds behind the database's, which is used",
    ]


def test_of_many_threads_one_looks_and_none_goes_by_a_wrong_clock(clock, machine, database):
    machine.wrong, answer = 90, database.time

    def slowly():
        sleep(0.1)
        return answer()

    database.time = slowly
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda _: clock(), range(100)))
    assert set(told) == {machine.right}
    assert database.looks == 1


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_process_whose_clock_is_wrong_tells_the_time_of_its_database(kind, tmp_path, request):
    url = request.getfixturevalue("postgres_url") if kind == "postgresql" else ""
    environment = {**os.environ, "PYTHONPATH": CLOCKS, "CLOCK_AHEAD": "120", "DATABASE_URL": url}
    run = subprocess.run(
        [sys.executable, "-W", "always::ResourceWarning", "-c", TELL],
        cwd=ROOT,
        env={**environment, "DATA_DIR": str(tmp_path / "var")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert abs(datetime.now(UTC) - datetime.fromisoformat(run.stdout.strip())) < 30 * SECOND
    assert "ahead of the database's" in run.stderr
    assert "ResourceWarning" not in run.stderr, "it has given its connection back"


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_the_time_of_a_database_is_in_utc(kind, tmp_path, request):
    url = request.getfixturevalue("postgres_url") if kind == "postgresql" else f"sqlite:///{tmp_path / 'hearts.db'}"
    database = Database(url)
    with database.writing() as session:  # on SQLite, nobody else may write now
        session.connection()
        told = database.time()
    assert abs(datetime.now(UTC) - told) < 30 * SECOND
    assert told.utcoffset() == timedelta()
    database.engine.dispose()


def test_to_tell_the_time_makes_no_database_and_does_not_log_that_none_answers(tmp_path, caplog):
    """A command that looks for a database finds it as it was, and says itself what is wrong with it."""
    file = tmp_path / "hearts.db"
    for url in (f"sqlite:///{file}", "postgresql://ann@127.0.0.1:9/hearts"):
        assert abs(datetime.now(UTC) - DatabaseClock(lambda url=url: Database(url))()) < 30 * SECOND
    assert not file.exists()
    assert caplog.records == []
