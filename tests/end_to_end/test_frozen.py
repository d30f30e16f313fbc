"""A worker that freezes delays nobody, and does no harm when it goes on. On PostgreSQL and Valkey."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.run import read_procfile, start, stop
from tests.end_to_end.players import Inboxes
from tests.end_to_end.service import Service, runtime_of
from tests.end_to_end.workers import (
    WITHIN,
    all_are_sent,
    check_live_table_goes_on,
    copies,
    hang_with_a_batch,
    played_for,
    questions,
)
from tests.servers import MailServer, wait_until
from webapp.core.runtime import Runtime


@pytest.fixture
def runtime(postgres_service: Service) -> Iterator[Runtime]:
    with runtime_of(postgres_service) as made:
        yield made


def test_a_frozen_worker_sends_nothing_that_another_has_claimed_meanwhile(
    postgres_service: Service, runtime: Runtime, mail_server: MailServer, tmp_path: Path
) -> None:
    inboxes = Inboxes(mail_server)
    games = hang_with_a_batch(postgres_service, runtime, mail_server)
    frozen = postgres_service.running["worker"].pid
    os.killpg(frozen, signal.SIGSTOP)
    mail_server.is_silent = False
    with (tmp_path / "other.log").open("wb") as log:
        other = start({"worker": read_procfile()["worker"]}, postgres_service.environment, log)
        try:
            wait_until("another worker sends", lambda: inboxes.has_more, WITHIN)
            os.killpg(frozen, signal.SIGCONT)
            wait_until("every question went out", lambda: all_are_sent(runtime, games), WITHIN)
        finally:
            os.killpg(frozen, signal.SIGCONT)
            stop(other)
    assert set(copies(inboxes).values()) == {1}
    assert {letter.tries for letter in questions(runtime, games)} == {1}
    assert played_for(runtime, games) == []


def test_a_live_table_goes_on_after_its_worker_is_killed(postgres_service: Service, runtime: Runtime) -> None:
    check_live_table_goes_on(postgres_service, runtime)
