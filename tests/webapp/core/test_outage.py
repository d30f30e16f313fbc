"""An outage is logged once a minute, however many try; people get a plain page, and nothing is lost."""

import logging
import socket
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from threading import Thread

import pytest
from sqlalchemy.exc import DataError, IntegrityError, OperationalError, ProgrammingError
from sqlmodel import text

from tests.answers import inbound, mail, send
from tests.cast import letters, start_game
from tests.mailing import letters_to
from tests.rings import rings
from tests.runtimes import make_runtime
from tests.servers import LONG, wait_until
from tests.webapp.accounts.signed_in import let_in
from webapp.core import bell, database, log
from webapp.core.bell import DO_DUE
from webapp.core.database import DatabaseDown
from webapp.core.log import REPORT_EVERY, Outage
from webapp.inbox.acting import process_inbound
from webapp.models import LetterKind, LetterState, PlayerRow
from webapp.site import make_site
from worker import postman, scheduler

DOWN, BACK = "the database does not answer", "the database answers again"


class Seconds:
    """The time, as a variable."""

    def __init__(self):
        self.at = 0.0

    def monotonic(self):
        return self.at


@pytest.fixture
def seconds(monkeypatch):
    clock = Seconds()
    monkeypatch.setattr(log, "time", clock)
    return clock


@pytest.fixture
def outage(caplog):
    caplog.set_level(logging.INFO)
    return Outage(logging.getLogger("webapp.tested"), "the moon", "the tide waits")


def said(caplog, words=""):
    return [record.getMessage() for record in caplog.records if words in record.getMessage()]


def test_an_outage_is_logged_once_a_minute(outage, seconds, caplog):
    for seconds.at in range(int(REPORT_EVERY * 2.5)):
        outage.note_failure("eclipse")
    assert said(caplog) == ["the moon does not answer (eclipse); the tide waits"] * 3


def test_the_end_of_an_outage_is_logged_once(outage, seconds, caplog):
    outage.note_success()
    outage.note_failure("eclipse")
    outage.note_success()
    outage.note_success()
    assert said(caplog, "again") == ["the moon answers again"]


def test_an_intermittent_outage_logs_at_most_two_lines_a_minute(outage, seconds, caplog):
    for seconds.at in range(int(REPORT_EVERY)):
        outage.note_failure("cloud")
        outage.note_success()
    assert len(said(caplog)) == 2


def test_many_threads_log_an_outage_once(outage, seconds, caplog):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: outage.note_failure("eclipse"), range(200)))
    assert len(said(caplog)) == 1


# SQLite


@pytest.fixture
def impatient(monkeypatch):
    short = [pragma for pragma in database.PRAGMAS if not pragma.startswith("busy_timeout")]
    monkeypatch.setattr(database, "PRAGMAS", (*short, "busy_timeout=50"))


@contextmanager
def locked(runtime):
    """Another program writes to the file, and does not finish."""
    other = sqlite3.connect(runtime.database.engine.url.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.rollback()
        other.close()


@contextmanager
def in_the_way(runtime, name):
    """A file of the database cannot be opened."""
    file = runtime.settings.data_dir / name
    runtime.database.engine.dispose()
    away = file.rename(file.with_suffix(".away")) if file.exists() else None
    file.mkdir()
    try:
        yield
    finally:
        file.rmdir()
        if away:
            away.rename(file)


def out_of_reach(runtime):
    return in_the_way(runtime, "hearts.db")


def without_turns(runtime):
    """The lock file that gives turns to write."""
    return in_the_way(runtime, "hearts.db.lock")


@pytest.mark.parametrize("trouble", [locked, out_of_reach, without_turns])
def test_while_sqlite_is_locked_everybody_waits_and_nothing_is_lost(tmp_path, impatient, caplog, trouble):
    caplog.set_level(logging.INFO)
    runtime = make_runtime(tmp_path / "var")
    table = start_game(runtime)
    site = make_site(runtime).test_client()
    page = runtime.signer.local_url(table.turn_link(0))
    typed = mail("Bo", "away")
    (letter,) = letters_to(runtime, "Bo", LetterKind.TURNS)
    with trouble(runtime):
        for _ in range(3):
            answer = site.post(page, data={"card": "2C"})
            assert (answer.status_code, answer.headers["Retry-After"]) == (503, "30")
            assert "Your games are safe" in answer.text
            for attempt in (postman.deliver, process_inbound, lambda runtime: table.play_first()):
                with pytest.raises(DatabaseDown):
                    attempt(runtime)
            with pytest.raises(DatabaseDown):
                send(runtime, letter, typed)
            scheduler.run(scheduler.delete_old, runtime, scheduler.Finished())
    assert len(said(caplog, DOWN)) == 1
    assert postman.deliver(runtime) > 0
    assert {one.state for one in letters(runtime, LetterKind.TURNS)} == {LetterState.KEPT}
    inbound_id = send(runtime, letter, typed)
    assert process_inbound(runtime) == 1
    assert inbound(runtime, inbound_id).handled_at is not None
    table.play_first()
    assert len(said(caplog, BACK)) == 1
    assert all(record.exc_info is None for record in caplog.records)
    runtime.database.engine.dispose()


def test_an_unknown_page_is_a_404_even_without_a_database(tmp_path, impatient):
    runtime = make_runtime(tmp_path / "var")
    site = make_site(runtime).test_client()
    with runtime.database.writing() as session:
        session.add(PlayerRow(id=1, address="ann@example.org", name="Ann", created_at=runtime.now()))
    let_in(site, runtime, 1)
    runtime.eras()  # as `gunicorn.conf.py` has it read
    with out_of_reach(runtime):
        assert site.get("/nowhere").status_code == 404
        assert site.get("/games").status_code == 503
    runtime.database.engine.dispose()


def test_an_error_in_a_query_is_not_an_outage(either_runtime, caplog):
    with pytest.raises((OperationalError, ProgrammingError)), either_runtime.database.reading() as session:
        session.connection().execute(text("SELECT nothing FROM nowhere"))
    twice = {"address": "eve@example.org", "name": "Eve", "created_at": either_runtime.now()}
    with pytest.raises(IntegrityError), either_runtime.database.writing() as session:
        session.add_all([PlayerRow(**twice), PlayerRow(**twice)])
    zero = {**twice, "name": "Eve\0"}
    with suppress(DataError), either_runtime.database.writing() as session:  # PostgreSQL does not take it
        session.add(PlayerRow(**zero))
    assert said(caplog, DOWN) == []


# the broker


@pytest.fixture
def hangs_up():
    """A broker that ends every connection: its address, and when one came."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        came = []

        def hang_up():
            with suppress(OSError):
                while True:
                    with server.accept()[0]:
                        came.append(True)

        Thread(target=hang_up, daemon=True).start()
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0", came
        server.shutdown(socket.SHUT_RDWR)


def test_no_ring_waits_for_a_recently_unresponsive_broker(tmp_path, hangs_up, seconds, monkeypatch):
    address, came = hangs_up
    monkeypatch.setattr(bell, "time", seconds)
    down = make_runtime(tmp_path / "var", broker_url=address)
    down.bell.ring(DO_DUE)
    tried = len(came)
    assert tried
    for seconds.at in (1, bell.SPARED - 1):
        down.bell.ring(DO_DUE)
    assert len(came) == tried
    seconds.at = bell.SPARED + 1
    for _ in range(3):
        down.bell.ring(DO_DUE)
    wait_until("it is tried again", lambda: len(came) == 2 * tried)
    for seconds.at in (bell.SPARED + 2, 2 * bell.SPARED):
        down.bell.ring(DO_DUE)
    assert len(came) == 2 * tried
    down.database.engine.dispose()


def test_a_broker_is_asked_once_whether_it_answers(tmp_path, hangs_up):
    address, came = hangs_up
    down = make_runtime(tmp_path / "var", broker_url=address)
    assert not down.bell.is_reachable()
    assert len(came) == 1
    down.database.engine.dispose()


def test_a_hanging_broker_delays_one_ring_only_briefly(tmp_path, seconds, monkeypatch):
    monkeypatch.setattr(bell, "RING_TIMEOUT", 0.6)
    monkeypatch.setattr(bell, "time", seconds)
    with socket.create_server(("127.0.0.1", 0)) as hanging:  # connects, and says nothing
        stuck = make_runtime(tmp_path / "var", broker_url=f"redis://127.0.0.1:{hanging.getsockname()[1]}/0")
        took = []
        for seconds.at in (0, bell.SPARED + 1):
            begun = time.monotonic()
            stuck.bell.ring(DO_DUE)
            took.append(time.monotonic() - begun)
        assert took[1] < bell.RING_TIMEOUT / 2 < took[0] < bell.TIMEOUT / 2
        hanging.settimeout(LONG)
        for _ in range(2):
            hanging.accept()[0].close()
    stuck.database.engine.dispose()


def test_all_rings_go_out_once_a_broker_answers_again(runtime, seconds, monkeypatch, caplog):
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(bell, "time", seconds)
    ring, queue = partial(runtime.bell.ring, DO_DUE), runtime.settings.data_dir / "broker" / "queue"
    away = queue.rename(queue.with_suffix(".away"))
    ring()
    away.rename(queue)
    ring()
    assert not [*queue.iterdir()], "it is spared"
    seconds.at = bell.SPARED + 1
    ring()
    wait_until("it answers", lambda: rings(runtime) == [DO_DUE])
    wait_until("that is noted", lambda: said(caplog, "the broker answers again"))
    for _ in range(3):
        ring()
    assert rings(runtime) == [DO_DUE] * 3


def test_a_broker_that_is_down_is_logged_once(tmp_path, caplog):
    down = make_runtime(tmp_path / "var", broker_url="redis://127.0.0.1:1/0")
    for _ in range(3):
        down.bell.deliver()
    assert len(said(caplog, "the broker does not answer (ConnectionRefusedError)")) == 1
    down.database.engine.dispose()
