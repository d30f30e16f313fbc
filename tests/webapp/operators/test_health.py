"""The health of the service: signs of life, queues, and what `/readyz` says."""

from datetime import timedelta
from threading import Thread

import pytest
from sqlalchemy import text
from sqlmodel import update

from tests.cast import address, leave, letters, start_game
from tests.runtimes import make_runtime
from tests.table import ask_all
from webapp.games.clock import way_in
from webapp.models import GameRow, InboundRow, LetterRow, LetterState, PlayerRow
from webapp.operators import health
from webapp.operators.health import Queue, Readiness, late_questions, overdue_games, queued_letters, unread_mail
from webapp.outbox import holding
from webapp.play.due_games import claim_due
from webapp.site import make_site
from worker import postman, scheduler
from worker.scheduler import Finished

MINUTE = timedelta(minutes=1)


def test_the_last_of_several_signs_of_life_counts(either_runtime):
    late, early = either_runtime.now(), either_runtime.now() - MINUTE
    with either_runtime.database.writing() as session:
        for at in (early, late, early):
            health.note_alive(session, health.WORKER, at)
        assert health.last_seen(session) == {health.WORKER: late}


def test_a_deadline_without_action_is_overdue_even_while_claimed(either_runtime):
    runtime, table = either_runtime, start_game(either_runtime)
    ask_all(runtime)
    with runtime.database.reading() as session:
        due_at = session.get_one(GameRow, table.game_id).due_at
        assert overdue_games(session, due_at - MINUTE) == Queue("games", 0, 0)
        assert overdue_games(session, due_at + MINUTE) == Queue("games", 1, 60)
    claim_due(runtime, due_at + MINUTE)
    with runtime.database.reading() as session:
        assert overdue_games(session, due_at + MINUTE) == Queue("games", 1, 60)


def test_a_letter_is_owed_once_due_and_while_tried(either_runtime):
    runtime, now = either_runtime, either_runtime.now
    start_game(runtime)
    begun = now()
    with runtime.database.writing() as session:
        session.exec(update(LetterRow).values(state=LetterState.SENT, next_at=None))
        letter = session.get_one(LetterRow, letters(runtime)[-1].id)
        letter.state, letter.next_at, letter.created_at = LetterState.QUEUED, begun, begun - 30 * MINUTE
        session.flush()
        assert queued_letters(session, begun + MINUTE) == Queue("letters", 1, 60)
        letter.tries, letter.next_at = 1, begun + 10 * MINUTE
        session.flush()
        assert queued_letters(session, begun + MINUTE) == Queue("letters", 1, 31 * 60)
        letter.tries = 0
        session.flush()
        assert queued_letters(session, begun + MINUTE) == Queue("letters", 0, 0)


def test_a_player_nobody_looks_at_is_late_after_five_minutes(runtime):
    table = start_game(runtime)
    ask_all(runtime)
    table.pass_all()
    leave(runtime)
    with runtime.database.writing() as session:
        session.exec(update(PlayerRow).where(PlayerRow.name != "Bo").values(turns_at=None))
    with runtime.database.reading() as session:
        assert late_questions(session, runtime.now() + 4 * MINUTE).waiting == 0
        late = late_questions(session, runtime.now() + 6 * MINUTE)
    assert (late.waiting, late.oldest) == (1, 360)


def test_a_mail_is_late_while_the_relay_refuses_it(tmp_path, smtp_server):
    runtime = make_runtime(tmp_path / "var", smtp_url=smtp_server.url)
    start_game(runtime)
    smtp_server.refuse[address("Bo")] = "452 4.2.2 mailbox full"
    postman.deliver(runtime)
    assert not smtp_server.to(address("Bo"))
    with runtime.database.writing() as session:
        session.exec(update(PlayerRow).values(turns_at=None))
        assert late_questions(session, runtime.now() + 4 * MINUTE).waiting == 0
        late = late_questions(session, runtime.now() + 6 * MINUTE)
    assert (late.waiting, late.oldest) == (1, 360)
    runtime.database.engine.dispose()


def test_a_mail_that_no_worker_reads_is_counted(runtime):
    with runtime.database.writing() as session:
        for identity, handled_at in (("one", None), ("two", runtime.now())):
            row = InboundRow(sender="", recipient="x", identity=identity, received_at=runtime.now(), next_at=None)
            row.handled_at = handled_at
            session.add(row)
        session.flush()
        assert unread_mail(session, runtime.now() + MINUTE) == Queue("inbound", 1, 60)


@pytest.fixture(autouse=True)
def broker_folder(runtime):
    runtime.bell.deliver()  # makes what the broker needs in DATA_DIR


def show_life(runtime, *processes):
    with runtime.database.writing() as session:
        for process in processes or (health.SCHEDULER, health.WORKER):
            health.note_alive(session, process, runtime.now())


def asked(runtime, query="", **more):
    """The present status of `/readyz`, and what it says."""
    response = make_site(runtime).test_client().get(f"/readyz{query}", **more)
    return response.status_code, response.get_json()


def failing(runtime):
    """The names of the checks that fail."""
    return {check.name for check in health.check(runtime) if not check.is_ok}


def test_a_service_that_runs_is_ready_and_says_every_figure(runtime):
    show_life(runtime)
    runtime.now.pass_by(timedelta(seconds=7))
    status, said = asked(runtime)
    assert (status, said["status"]) == (200, "ready")
    names = {"disk", "broker", "database", "migrations", "games", "letters", "inbound", "scheduler", "worker"}
    assert said["checks"].keys() == names
    assert said["checks"]["worker"] == {"ok": True, "seen_seconds_ago": 7}
    assert said["checks"]["games"] == {"ok": True, "waiting": 0, "oldest_seconds": 0}


@pytest.mark.parametrize(
    "asker",
    [
        pytest.param({"environ_overrides": {"REMOTE_ADDR": "9.9.9.9"}}, id="somebody on the internet"),
        pytest.param({"headers": {"X-Forwarded-For": "127.0.0.1"}}, id="somebody behind a proxy here"),
        pytest.param({"environ_overrides": {"REMOTE_ADDR": "nowhere"}}, id="somebody without an address"),
    ],
)
def test_figures_are_for_the_operators_own_machines(runtime, asker):
    show_life(runtime)
    assert asked(runtime, **asker) == (200, {"status": "ready"})


def test_a_process_without_its_database_is_alive_but_not_ready(tmp_path):
    lost = make_runtime(tmp_path / "lost", "postgresql://nobody@127.0.0.1:1/none?connect_timeout=1")
    client = make_site(lost).test_client()
    assert client.get("/healthz").get_json() == {"status": "ok"}
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.get_json()["checks"]["database"] == {"ok": False, "reason": "OperationalError"}


def test_tables_of_another_version_are_not_ready(runtime):
    show_life(runtime)
    with runtime.database.writing() as session:
        session.connection().execute(text("UPDATE alembic_version SET version_num = '0001'"))
    assert failing(runtime) == {"migrations"}
    with runtime.database.writing() as session:
        session.connection().execute(text("DROP TABLE alembic_version"))
    assert failing(runtime) == {"migrations"}


def test_without_disk_space_or_broker_a_service_is_not_ready(runtime, monkeypatch, tmp_path):
    show_life(runtime)
    monkeypatch.setattr(health, "MIN_FREE_BYTES", 1 << 80)
    assert failing(runtime) == {"disk"}
    broken = make_runtime(tmp_path / "other", broker_url="redis://127.0.0.1:1/0")
    assert "broker" in failing(broken)


def test_a_broker_that_answers_is_ready(tmp_path, valkey_url):
    assert "broker" not in failing(make_runtime(tmp_path / "redis", broker_url=valkey_url))


@pytest.mark.parametrize(("minutes", "is_ready"), [(10, True), (11, False)])
def test_a_relay_that_takes_no_mail_is_quoted(runtime, minutes, is_ready):
    show_life(runtime)
    with runtime.database.writing() as session:
        holding.pause(session, holding.EVERY_DOMAIN, runtime.now(), "550 no", runtime.now() - minutes * MINUTE)
    status, said = asked(runtime)
    assert status == (200 if is_ready else 503)
    assert said["checks"]["letters"].items() >= {"relay_down_seconds": 60 * minutes, "relay_says": "550 no"}.items()


@pytest.mark.parametrize("silent", [health.SCHEDULER, health.WORKER])
def test_a_silent_scheduler_or_worker_is_missed(runtime, silent):
    assert failing(runtime) == {"scheduler", "worker"}
    show_life(runtime)
    runtime.now.pass_by(2 * MINUTE)
    show_life(runtime, ({health.SCHEDULER, health.WORKER} - {silent}).pop())
    assert failing(runtime) == {silent}
    assert asked(runtime)[0] == 503
    assert asked(runtime, f"?exclude={silent}")[0] == 200


def test_a_scheduler_shows_life_only_while_every_sweep_finishes(runtime):
    finished = Finished()
    begun = runtime.now()
    for sweep in scheduler.SWEEPS:
        scheduler.show_life(runtime, finished)
        scheduler.run(sweep, runtime, finished)
    runtime.now.pass_by(MINUTE)
    for sweep in scheduler.SWEEPS[1:]:  # the first one hangs
        scheduler.run(sweep, runtime, finished)
    scheduler.show_life(runtime, finished)
    with runtime.database.reading() as session:
        assert health.last_seen(session) == {health.SCHEDULER: begun}


def test_no_sign_of_life_comes_before_every_sweep_has_finished(runtime):
    finished = Finished()
    scheduler.run(scheduler.sweep_games, runtime, finished)
    scheduler.show_life(runtime, finished)
    with runtime.database.reading() as session:
        assert health.last_seen(session) == {}


def test_probes_at_once_are_checked_once_a_second(runtime, monkeypatch):
    made, seconds = [], [100.0]
    monkeypatch.setattr(health, "check", lambda _: made.append(1) or ["a check"])
    kept = Readiness(runtime, lambda: seconds[0])
    threads = [Thread(target=kept.checks) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    seconds[0] += 1
    assert kept.checks() == ["a check"]
    assert len(made) == 2


def test_a_slow_check_holds_up_no_other_probe(runtime, monkeypatch):
    kept = Readiness(runtime)
    kept._known = (-1e9, ["an old check"])
    kept._lock.acquire()
    assert kept.checks() == ["an old check"]


def test_answers_by_mail_must_have_been_read_a_moment_ago(tmp_path):
    runtime = make_runtime(tmp_path / "var", smtp_url="smtp://127.0.0.1:9", reply_domain="in.hearts.localhost")
    runtime.bell.deliver()
    show_life(runtime)
    assert failing(runtime) == {"inbox"}, "never"
    way_in.note_read(runtime, runtime.now())
    assert failing(runtime) == set()
    runtime.now.pass_by(way_in.TOLERATED + timedelta(seconds=1))
    show_life(runtime)
    assert failing(runtime) == {"inbox"}
    runtime.database.engine.dispose()
