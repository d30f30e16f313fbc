"""A worker that is killed delays nobody: another takes over its work within seconds. On SQLite and files.

A worker that freezes, on PostgreSQL and Valkey: `test_frozen.py`.
"""

from collections.abc import Iterator

import pytest

from tests.end_to_end.service import Service, running_service, runtime_of
from tests.end_to_end.workers import (
    GAMES,
    TABLE,
    WITHIN,
    all_are_sent,
    check_live_table_goes_on,
    copies,
    hang_with_a_batch,
    played_for,
)
from tests.servers import wait_until
from tests.worker.scripted import ScriptedRelay
from webapp.core.runtime import Runtime


@pytest.fixture(scope="module")
def relay() -> Iterator[ScriptedRelay]:
    with ScriptedRelay() as scripted:
        yield scripted


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, relay: ScriptedRelay) -> Iterator[Service]:
    with running_service(tmp_path_factory.mktemp("service"), SMTP_URL=relay.url) as running:
        yield running


@pytest.fixture
def runtime(service: Service) -> Iterator[Runtime]:
    with runtime_of(service) as made:
        yield made


def test_the_letters_of_a_killed_worker_are_sent_long_before_the_deadline(
    service: Service, runtime: Runtime, relay: ScriptedRelay
) -> None:
    hang_with_a_batch(service, runtime, relay)
    service.kill("worker")
    relay.script = {}
    service.start_again("worker")
    wait_until("every question went out", lambda: all_are_sent(runtime), WITHIN)
    assert set(copies(relay).values()) == {1}
    assert len(copies(relay)) == len(TABLE) * GAMES
    assert played_for(runtime) == []
    service.check()


def test_a_live_table_goes_on_soon_after_its_worker_was_killed_while_a_robot_was_thinking(
    service: Service, runtime: Runtime
) -> None:
    check_live_table_goes_on(service, runtime)
