"""Rings reach the workers, even those whose clock is wrong, and are few. Brokers that are down: `test_outage`."""

import json
import socket
import ssl
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.certificates import certificate
from tests.rings import rings, wait_for_gaps
from tests.servers import ROOT
from webapp.core import bell
from webapp.core.bell import DELIVER, DO_DUE, PLAY_DUE, PLAY_FOR_ABSENT, Bell, Spaced, broker_client
from webapp.core.config import read_settings
from webapp.core.tokens import TOLERANCE


def test_a_worker_with_a_tolerably_fast_clock_hears_a_ring(runtime):
    runtime.bell.deliver()
    (ring,) = (runtime.settings.data_dir / "broker" / "queue").glob("*.msg")
    dropped_at = datetime.fromisoformat(json.loads(ring.read_text())["headers"]["expires"])
    assert dropped_at > datetime.now(UTC) + TOLERANCE


def test_twenty_rings_for_mails_become_one_now_and_one_later(runtime, monkeypatch):
    monkeypatch.setattr(bell, "GAP", 1.5)
    busy = Bell(runtime.settings)
    for _ in range(20):
        busy.deliver()
    assert len([*(runtime.settings.data_dir / "broker" / "queue").glob("*.msg")]) == 1
    assert rings(runtime) == [DELIVER, DELIVER]
    busy.deliver()
    assert rings(runtime) == [DELIVER], "and the next one after another gap"


def test_each_game_is_rung_for(runtime):
    for game_id in range(1, 6):
        runtime.bell.ring(PLAY_FOR_ABSENT, game_id)
    assert rings(runtime) == [PLAY_FOR_ABSENT] * 5


def test_due_games_have_a_queue_of_their_own(runtime):
    runtime.bell.ring(PLAY_DUE)
    runtime.bell.ring(PLAY_FOR_ABSENT, 1)
    runtime.bell.deliver()
    files = (runtime.settings.data_dir / "broker" / "queue").glob("*.msg")
    assert sorted(file.suffixes[-2] for file in files) == [".due", ".games", ".mails"]


def test_work_requested_while_it_runs_is_done_once_more():
    looks = []

    def look():
        looks.append(len(looks))
        if len(looks) in (2, 3):
            spaced.do()

    spaced = Spaced(look, 0.01)
    spaced.do()
    spaced.do()
    wait_for_gaps()
    assert looks == [0, 1, 2, 3]


KINDS = ("rediss", "amqps")


def heard_by_a_broker(kind: str, certificate: Path, query: str = "") -> bytes:
    """Returns a bell's first bytes to a broker with that certificate, whose address has a password."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    heard = []

    def listen() -> None:
        with server, suppress(OSError), context.wrap_socket(server.accept()[0], server_side=True) as one:
            heard.append(one.recv(99))

    server = socket.create_server(("127.0.0.1", 0))
    url = f"{kind}://ann:secret@localhost:{server.getsockname()[1]}/0{query}"
    listening = threading.Thread(target=listen)
    listening.start()
    Bell(read_settings(broker_url=url)).ring(DO_DUE)
    listening.join()
    return b"".join(heard)


@pytest.mark.parametrize("kind", KINDS)
def test_a_broker_with_an_untrusted_certificate_hears_nothing(tmp_path, kind, caplog):
    assert not heard_by_a_broker(kind, certificate(tmp_path, "localhost"))
    assert "the broker does not answer (SSLCertVerificationError)" in caplog.text


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "is_heard"), [("localhost", True), ("other.example.org", False)])
def test_a_broker_is_trusted_by_the_name_in_its_certificate(tmp_path, monkeypatch, kind, name, is_heard):
    file = certificate(tmp_path, name)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    assert bool(heard_by_a_broker(kind, file)) == is_heard


def test_the_address_of_a_broker_may_name_who_is_trusted(tmp_path):
    file = certificate(tmp_path, "localhost")
    assert heard_by_a_broker("rediss", file, f"?ssl_ca_certs={file}")


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
