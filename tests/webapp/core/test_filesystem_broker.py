"""The embedded broker, under several processes at once."""

import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.servers import ROOT
from webapp.core.bell import broker_client
from webapp.core.config import read_settings

RINGS = 400
RINGING = """
import sys
from webapp.core.bell import broker_client
from webapp.core.config import read_settings
app = broker_client(read_settings(data_dir=sys.argv[1]))
for number in range(int(sys.argv[2])):
    app.send_task("ring", (number,))
"""


def test_a_message_is_never_read_before_it_is_fully_written(tmp_path: Path) -> None:
    heard = set()
    command = [sys.executable, "-c", RINGING, str(tmp_path), str(RINGS)]
    with (
        broker_client(read_settings(data_dir=tmp_path)).connection() as connection,
        closing(connection.SimpleQueue("celery")) as queue,
        subprocess.Popen(command, cwd=ROOT) as ringing,
    ):
        deadline = time.monotonic() + 60
        while len(heard) < RINGS and time.monotonic() < deadline:
            try:
                message = queue.get(block=False)
            except queue.Empty:
                continue
            heard.add(message.payload[0][0])
            message.ack()
    assert ringing.returncode == 0
    assert heard == set(range(RINGS))


def test_a_worker_waiting_for_messages_soon_notices_a_stop(tmp_path: Path) -> None:
    with broker_client(read_settings(data_dir=tmp_path)).connection() as connection:
        with closing(connection.SimpleQueue("celery")):
            begun = time.monotonic()
            with pytest.raises(TimeoutError):
                connection.drain_events(timeout=60)
        assert time.monotonic() - begun < 30
