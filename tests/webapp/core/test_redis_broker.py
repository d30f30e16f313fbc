"""Redis' protocol as the broker: a worker goes on after it was lost, whatever the worker was doing then."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis

from tests.servers import ROOT, Valkey, wait_until
from webapp.core.bell import REPORT, broker_client
from webapp.core.config import read_settings

AHEAD = 4  # messages that a worker with one thread takes
LOST = "Couldn't ack"
WORKER = """
import sys, time
from pathlib import Path
from webapp.core.bell import REPORT, broker_client
from webapp.core.config import read_settings

heard, wait = Path(sys.argv[2]), Path(sys.argv[3])
app = broker_client(read_settings(broker_url=sys.argv[1]))

@app.task(name=REPORT)
def report():
    with heard.open("a") as file:
        file.write("heard\\n")
    while wait.exists():
        time.sleep(0.02)

app.worker_main(["worker", "--pool=threads", "--concurrency=1", "--without-gossip", "--without-mingle"])
"""


@pytest.fixture
def valkey() -> Iterator[Valkey]:
    server = Valkey()
    yield server
    server.end()


@contextmanager
def running_worker(log: Path, *arguments: str) -> Iterator[None]:
    command = [sys.executable, "-c", WORKER, *arguments]
    with log.open("w") as file, subprocess.Popen(command, cwd=ROOT, stderr=file) as worker:
        try:
            yield
        finally:
            worker.terminate()


def test_a_worker_that_had_ended_all_its_work_before_the_broker_came_back_hears_the_next_ring(
    valkey: Valkey, tmp_path: Path
) -> None:
    app = broker_client(read_settings(broker_url=valkey.url))
    heard, busy, log = tmp_path / "heard", tmp_path / "busy", tmp_path / "log"
    heard.touch()
    busy.touch()
    for _ in range(AHEAD):
        app.send_task(REPORT)
    with running_worker(log, valkey.url, str(heard), str(busy)), Redis.from_url(valkey.url) as broker:
        wait_until("all that a worker takes", lambda: broker.zcard("unacked_index") == AHEAD)
        valkey.kill()
        busy.unlink()
        wait_until("the end of all work, of which no broker hears", lambda: log.read_text().count(LOST) == AHEAD)
        valkey.start()
        app.send_task(REPORT)
        wait_until("another ring", lambda: len(heard.read_text().split()) == AHEAD + 1, seconds=30)
