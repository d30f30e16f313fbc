"""A worker that freezes delays nobody, and does no harm when it goes on. On PostgreSQL and Valkey.

A worker that is killed, on SQLite and files: `test_leases.py`.
"""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.run import read_procfile, start, stop
from tests.end_to_end.service import Service, running_service, runtime_of
from tests.end_to_end.workers import (
    WITHIN,
    all_are_sent,
    check_live_table_goes_on,
    copies,
    hang_with_a_batch,
    played_for,
    questions,
)
from tests.servers import fresh_database, wait_until
from tests.worker.scripted import ScriptedRelay
from webapp.core.runtime import Runtime


@pytest.fixture(scope="module")
def relay() -> Iterator[ScriptedRelay]:
    with ScriptedRelay() as scripted:
        yield scripted


@pytest.fixture(scope="module")
def service(
    tmp_path_factory: pytest.TempPathFactory, relay: ScriptedRelay, postgres: str, valkey: str
) -> Iterator[Service]:
    with fresh_database(postgres) as url:
        settings = {"SMTP_URL": relay.url, "DATABASE_URL": url, "BROKER_URL": valkey}
        with running_service(tmp_path_factory.mktemp("service"), **settings) as running:
            yield running


@pytest.fixture
def runtime(service: Service) -> Iterator[Runtime]:
    with runtime_of(service) as made:
        yield made


def test_a_frozen_worker_sends_nothing_that_another_has_claimed_meanwhile(
    service: Service, runtime: Runtime, relay: ScriptedRelay, tmp_path: Path
) -> None:
    hang_with_a_batch(service, runtime, relay)
    frozen = service.running["worker"].pid
    os.killpg(frozen, signal.SIGSTOP)
    relay.script = {}
    with (tmp_path / "other.log").open("wb") as log:
        other = start({"worker": read_procfile()["worker"]}, service.environment, log)
        try:
            wait_until("another worker sends", lambda: len(relay.kept) > 0, WITHIN)
            os.killpg(frozen, signal.SIGCONT)
            wait_until("every question went out", lambda: all_are_sent(runtime), WITHIN)
        finally:
            os.killpg(frozen, signal.SIGCONT)
            stop(other)
    assert set(copies(relay).values()) == {1}
    assert {letter.tries for letter in questions(runtime)} == {1}
    assert played_for(runtime) == []


def test_a_live_table_goes_on_soon_after_its_worker_was_killed_while_a_robot_was_thinking(
    service: Service, runtime: Runtime
) -> None:
    check_live_table_goes_on(service, runtime)
