"""A restart of the web process loses no request while something else holds its listener."""

import os
import signal
import socket
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Event

import pytest

from tests.deploy.held_listener import serve
from tests.servers import LONG, wait_until

APP = "tests.waiting_app:app"
VISITORS = 4
PAUSE = 0.02  # seconds between a visitor's requests
RESTARTS = 2
SECONDS = 30  # in which an answer comes
ENOUGH = 100  # answers of one server


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as held:
        yield held


@contextmanager
def ended(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def visit(port: int, answers: list[str], stop: Event) -> None:
    """Sends forms, each on a connection of its own, until `stop` is set, and notes what came back."""
    while not stop.wait(PAUSE):
        with closing(HTTPConnection("127.0.0.1", port, timeout=SECONDS)) as connection:
            try:
                connection.request("POST", "/", b"card=QS")
                answers.append(connection.getresponse().read().decode())
            except (OSError, HTTPException) as error:
                answers.append(repr(error))


def test_a_restart_loses_no_request(listener: socket.socket, tmp_path: Path) -> None:
    environment = {"DATA_DIR": str(tmp_path), "WEB_CONCURRENCY": "2"}
    answers: list[str] = []
    stop = Event()
    with ThreadPoolExecutor(VISITORS) as pool:
        visitors = [pool.submit(visit, listener.getsockname()[1], answers, stop) for _ in range(VISITORS)]
        try:
            for _ in range(RESTARTS):
                serve_for_a_while(listener, environment, answers)
            with ended(serve(listener, environment, APP)):
                stop.set()
                wait(visitors)
        finally:
            stop.set()
    assert Counter(answers).keys() == {"ok"}


def serve_for_a_while(listener: socket.socket, environment: Mapping[str, str], answers: Sequence[str]) -> None:
    """Starts a server, and stops it as soon as it has answered for a while."""
    with ended(serve(listener, environment, APP)) as web:
        enough = len(answers) + ENOUGH
        wait_until("answers", lambda: len(answers) >= enough)
        web.terminate()
        assert web.wait(LONG) == 0
