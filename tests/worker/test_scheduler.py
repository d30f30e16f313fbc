"""The sweeps: due work is found by index, rung for, and rung for again when the ring was lost."""

import time
from datetime import UTC, datetime, timedelta
from threading import Event, Thread

import pytest
import time_machine
from apscheduler.schedulers.blocking import BlockingScheduler
from sqlalchemy import text
from sqlmodel import col, select

from hearts.robot import Level
from tests.answers import inbound, mail, question, send
from tests.cast import NAMES, open_table, start_game
from tests.due_games import make_due_games
from tests.rings import rings
from tests.runtimes import make_runtime
from tests.servers import wait_until
from webapp.core.bell import DELIVER, DO_DUE, PLAY_DUE, PLAY_FOR_ABSENT
from webapp.inbox import receiving
from webapp.inbox.acting import process_inbound
from webapp.models import (
    WAITING_QUESTION,
    AddressChangeRow,
    ChangeState,
    InboundRow,
    LetterRow,
    LetterState,
    PauseRow,
)
from webapp.outbox import about_accounts, holding, letters
from webapp.play import due_games
from webapp.tables import seating
from worker import scheduler


def test_a_turn_rings_for_its_mail_or_a_robots_card(runtime):
    open_table(runtime)
    assert DELIVER in rings(runtime)
    start_game(runtime, NAMES[:1], robots=3)
    assert PLAY_FOR_ABSENT in rings(runtime)


def test_the_sweep_finds_the_work_of_a_lost_ring(runtime):
    start_game(runtime, NAMES[:1], robots=3)
    rings(runtime)
    scheduler.sweep_games(runtime)
    scheduler.sweep_letters(runtime)
    assert sorted(rings(runtime)) == [DELIVER, PLAY_DUE]


def test_a_sweep_rings_at_most_twice_for_due_games(runtime):
    make_due_games(runtime, 3 * due_games.AT_ONCE, Level.RULE)
    scheduler.sweep_games(runtime)
    assert rings(runtime) == [PLAY_DUE, PLAY_DUE]


def test_an_incoming_mail_is_rung_for_until_it_is_processed(runtime):
    start_game(runtime)
    inbound_id = send(runtime, question(runtime, "Ann"), mail("Ann", "help"))
    assert DO_DUE in rings(runtime)
    scheduler.sweep_others(runtime)
    assert rings(runtime) == [DO_DUE]
    process_inbound(runtime)
    rings(runtime)
    scheduler.sweep_others(runtime)
    assert rings(runtime) == []
    runtime.now.pass_by(receiving.KEPT_FOR + timedelta(seconds=1))
    scheduler.delete_old(runtime)
    assert inbound(runtime, inbound_id).raw is None


def test_a_deadline_is_rung_for_only_when_over(runtime):
    table = start_game(runtime)
    rings(runtime)
    runtime.now.at = table.due_at - timedelta(seconds=1)
    scheduler.sweep_games(runtime)
    assert rings(runtime) == []
    runtime.now.pass_by(timedelta(seconds=1))
    scheduler.sweep_games(runtime)
    assert rings(runtime) == [PLAY_DUE]


def test_an_empty_sweep_rings_no_bell(runtime):
    scheduler.sweep_games(runtime)
    scheduler.sweep_letters(runtime)
    scheduler.sweep_others(runtime)
    assert rings(runtime) == []


def test_an_empty_sweep_writes_nothing(runtime):
    start_game(runtime)
    runtime.now.pass_by(-timedelta(days=1))  # something will be due, but not yet
    said = []
    with runtime.database.engine.connect() as connection:
        connection.connection.driver_connection.set_trace_callback(said.append)
    for sweep in scheduler.SWEEPS:
        sweep(runtime)
    assert said
    assert {statement.split()[0] for statement in said} == {"BEGIN", "SELECT", "ROLLBACK"}
    assert "BEGIN IMMEDIATE" not in said, "it would wait for writers"


def test_a_broker_that_is_down_loses_nothing_and_stops_nothing(tmp_path):
    down = make_runtime(tmp_path / "var", broker_url="redis://127.0.0.1:1/0")
    table = start_game(down, NAMES[:1], robots=3)
    scheduler.sweep_games(down)
    assert due_games.claim_due(down, down.now()) == [table.game_id]
    down.database.engine.dispose()


def test_the_sweeps_read_the_index_and_not_the_table(runtime):
    with runtime.database.reading() as session:
        for table, moment, state in (("game", "wake_at", "playing"), ("letter", "next_at", "queued")):
            query = f"SELECT id FROM {table} WHERE state = '{state}' AND {moment} <= '2026-01-01' ORDER BY {moment}"
            plan = session.connection().execute(text(f"EXPLAIN QUERY PLAN {query}")).fetchall()
            assert f"USING INDEX ix_{table}_{moment}" in str(plan) or f"COVERING INDEX ix_{table}_{moment}" in str(plan)


@pytest.mark.parametrize(
    ("query", "index"),
    [
        pytest.param(
            f"SELECT count(*) FROM letter WHERE {WAITING_QUESTION} AND created_at <= '2026-01-01'",
            "ix_letter_waiting",
            id="questions that wait unsent",
        ),
        pytest.param(
            "SELECT count(*) FROM letter WHERE moved_at IS NOT NULL AND moved_at > '2026-01-01'",
            "ix_letter_moved_at",
            id="deadlines that have moved",
        ),
        pytest.param(
            "SELECT id FROM letter WHERE game_id = 1 AND hand = 1 AND seat = 0 AND player_id = 1 AND about = 'pass'",
            "ix_letter_thread",
            id="questions to one seat",
        ),
    ],
)
def test_late_questions_are_found_by_index(tmp_path, query, index):
    runtime = make_runtime(tmp_path / "var")
    with runtime.database.reading() as session:
        assert index in str(session.connection().execute(text(f"EXPLAIN QUERY PLAN {query}")).fetchall())
    runtime.database.engine.dispose()


def test_postgresql_finds_late_questions_among_many_letters_by_index(tmp_path, postgres_url):
    runtime = make_runtime(tmp_path / "var", postgres_url)
    start_game(runtime)
    with runtime.database.writing() as session:
        for kind, state in (("reminder", "queued"), ("turn", "sent")):
            many = f"""INSERT INTO letter
                (kind, state, dedupe, message_id, player_id, tries, next_at, created_at,
                notified, requested, again, refused)
                SELECT '{kind}', '{state}', '{kind} ' || n, '{kind} ' || n, 1, 0, now(), now(),
                false, false, false, false
                FROM generate_series(1, 5000) n"""
            session.connection().execute(text(many))
        session.connection().execute(text("ANALYZE letter"))
        late = f"EXPLAIN SELECT count(*) FROM letter WHERE {WAITING_QUESTION} AND created_at <= now()"
        plan = str(session.connection().execute(text(late)).fetchall())
    assert "ix_letter_waiting" in plan
    runtime.database.engine.dispose()


def test_old_senders_addresses_and_pauses_are_deleted_daily(runtime):
    start_game(runtime)
    now, day = runtime.now(), timedelta(days=1)
    with runtime.database.writing() as session:
        for number, age in enumerate((13, 15)):
            mail_of_bo = {"sender": "bo@example.org", "recipient": "x", "raw": b"QS", "next_at": None}
            session.add(InboundRow(**mail_of_bo, identity=str(number), received_at=now - age * day))
        for age in (29, 31):
            moved = {"old_address": "bo@example.org", "new_address": "bo@example.com", "state": ChangeState.DONE}
            ended = {"asked_at": now, "ready_at": now, "ended_at": now - age * day}
            session.add(AddressChangeRow(player_id=2, **moved, **ended))
        for until, domain in ((now - day, "example.org"), (now + day, "example.com")):
            session.add(PauseRow(domain=domain, until=until, reason="slow"))
        holding.hold(session, "ann", now)
    scheduler.delete_old(runtime)
    with runtime.database.reading() as session:
        inbound = session.exec(select(InboundRow).order_by(col(InboundRow.id))).all()
        assert [(row.sender, row.raw) for row in inbound] == [("bo@example.org", b"QS"), ("", None)]
        moves = session.exec(select(AddressChangeRow).order_by(col(AddressChangeRow.id))).all()
        assert [(row.old_address, row.new_address) for row in moves] == [("bo@example.org", "bo@example.com"), ("", "")]
        assert set(session.exec(select(PauseRow.domain))) == {"example.com", holding.HELD}


def test_an_old_letter_keeps_no_foreign_address_nor_goes_again(runtime):
    with runtime.database.writing() as session:
        ann = seating.player_at(session, "ann@example.org", "Ann", runtime.now())
        ids = []
        for address in ("eve@example.org", None):
            letter = about_accounts.queue_trial(session, runtime, ann, address, runtime.now())
            letter.state = LetterState.FAILED
            session.flush()
            ids.append(letter.id)
            runtime.now.pass_by(timedelta(seconds=1))
    for age, left in ((letters.KEPT_FOR - timedelta(days=1), "eve@example.org"), (timedelta(days=2), "")):
        runtime.now.pass_by(age)
        scheduler.delete_old(runtime)
        with runtime.database.reading() as session:
            assert [session.get_one(LetterRow, number).address for number in ids] == [left, None]
    with runtime.database.writing() as session:
        assert holding.retry(session, ids, "ann", runtime.now()) == {ids[1]}


@pytest.fixture
def ticking(monkeypatch):
    """Starts a scheduler that runs a job ten times a second, and returns the times at which it has run."""
    monkeypatch.setattr(scheduler, "LOOK_AT_CLOCK", 0.1)
    made, ran, over = BlockingScheduler(timezone=UTC), [], Event()
    threads = [Thread(target=made.start), Thread(target=scheduler.keep_in_time, args=[made, over])]

    def begin():
        made.add_job(lambda: ran.append(time.monotonic()), "interval", seconds=0.1, next_run_time=datetime.now(UTC))
        for thread in threads:
            thread.start()
        return ran

    yield begin
    over.set()
    made.shutdown(wait=False)
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("hours", [-1, 1, -24])
def test_a_clock_that_is_set_stops_no_sweep(ticking, hours):
    with time_machine.travel(datetime.now(UTC), tick=True) as clock:
        ran = ticking()
        wait_until("it runs", lambda: len(ran) > 2)
        clock.shift(timedelta(hours=hours))
        then = len(ran)
        wait_until("it runs on", lambda: len(ran) > then + 5, seconds=5)


@pytest.mark.parametrize("day", ["2026-03-29", "2026-10-25"], ids=["begins", "ends"])
def test_summer_time_stops_no_sweep(ticking, monkeypatch, day):
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    with time_machine.travel(f"{day}T00:59:59+00:00", tick=True):
        ran = ticking()
        wait_until("it runs on", lambda: len(ran) > 20, seconds=8)
    monkeypatch.undo()
    time.tzset()
