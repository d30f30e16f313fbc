"""Redis' protocol as the broker: a worker goes on after it was lost, whatever the worker was doing then."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis

from tests.servers import ROOT, Valkey, wait_until
from webapp.core.bell import REPORT, broker_client
from webapp.core.config import read_settings

TAKEN = 8  # messages that the worker has when its broker is lost
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


@pytest.mark.parametrize("seconds", [0.05, 3])
def test_a_worker_whose_broker_was_lost_hears_the_next_ring(valkey: Valkey, tmp_path: Path, seconds: float) -> None:
    app = broker_client(read_settings(broker_url=valkey.url))
    heard, busy, log = tmp_path / "heard", tmp_path / "busy", tmp_path / "log"
    heard.touch()
    with running_worker(log, valkey.url, str(heard), str(busy)), Redis.from_url(valkey.url) as broker:
        for _ in range(2):
            rung = len(heard.read_text().split())
            busy.touch()
            for _ in range(TAKEN):
                app.send_task(REPORT)
            wait_until("the worker takes all", lambda: broker.zcard("unacked_index") == TAKEN)
            valkey.kill()
            busy.unlink()
            wait_until("all work ends", lambda rung=rung: len(heard.read_text().split()) >= rung + TAKEN)
            time.sleep(seconds)
            valkey.start()
            rung = len(heard.read_text().split())
            app.send_task(REPORT)
            wait_until("another ring", lambda rung=rung: len(heard.read_text().split()) > rung, seconds=30)
