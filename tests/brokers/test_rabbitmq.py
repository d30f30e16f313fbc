"""RabbitMQ as the broker. Everything else runs on Valkey and on files in the other tests."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.brokers.rabbitmq import RabbitMQ, running_rabbitmq, why_not
from tests.end_to_end.players import HOURS, Inboxes, Player
from tests.end_to_end.service import Service, running_service
from tests.runtimes import make_runtime
from tests.servers import MailServer, wait_until
from webapp.core.bell import PLAY_DUE, RING_TIMEOUT, Bell

CARDS = 3
MANY = 50_000  # rings, more than the kernel buffers


@pytest.fixture(scope="module")
def rabbitmq() -> Iterator[RabbitMQ]:
    if reason := why_not():
        pytest.fail(reason, pytrace=False)
    with running_rabbitmq() as running:
        yield running


@pytest.fixture
def service(rabbitmq: RabbitMQ, smtp_server: MailServer, tmp_path: Path) -> Iterator[Service]:
    with running_service(tmp_path, SMTP_URL=smtp_server.url, BROKER_URL=rabbitmq.url()) as running:
        yield running


def bell_on(folder: Path, url: str) -> Bell:
    return make_runtime(folder, broker_url=url).bell


def test_a_game_survives_the_death_of_worker_and_broker(
    service: Service, rabbitmq: RabbitMQ, smtp_server: MailServer
) -> None:
    ann, inboxes = Player("Ann"), Inboxes(smtp_server)
    ann.open_table(service.address, [], 3, preset="classic", target="50", pass_time=HOURS, play_time=HOURS)
    for _ in range(3):  # she confirms the table, passes, and plays a card
        ann.read(inboxes.next())
    service.kill("worker")
    service.start_again("worker")
    ann.read(inboxes.next())
    rabbitmq.kill()  # while the worker is at work
    time.sleep(1)
    rabbitmq.start()
    for _ in range(CARDS):
        ann.read(inboxes.next())
    service.check()
    ann.browser.close()


@pytest.mark.parametrize("password", ["guest", "wrong"])
def test_a_ring_fails_nothing_even_if_the_broker_rejects_us(rabbitmq: RabbitMQ, tmp_path: Path, password: str) -> None:
    bell = bell_on(tmp_path, rabbitmq.url(password))
    bell.deliver()
    assert bell.is_reachable() == (password == "guest")


def test_a_broker_that_stops_reading_delays_a_ring_by_seconds(
    rabbitmq: RabbitMQ, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bell = bell_on(tmp_path, rabbitmq.url())
    bell.ring(PLAY_DUE)
    rabbitmq.freeze()
    took = []
    try:
        while not caplog.records and len(took) < MANY:
            began = time.monotonic()
            bell.ring(PLAY_DUE)
            took.append(time.monotonic() - began)
    finally:
        rabbitmq.thaw()
    assert [record.getMessage().partition(" (")[0] for record in caplog.records] == ["the broker does not answer"]
    assert max(took) < 3 * RING_TIMEOUT
    wait_until("the broker is reached again", bell.is_reachable)
