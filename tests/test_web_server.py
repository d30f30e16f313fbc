"""How gunicorn serves the pages by `gunicorn.conf.py`: its processes, their end, and what it does with bad requests."""

import re
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from scripts.run import PAGES, read_procfile
from tests.runtimes import make_runtime
from tests.servers import wait_until
from tests.web_process import Web, web_process
from webapp.site import LARGEST_FORM

GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
OURS = {"Sec-Fetch-Site": "same-origin"}
WAITING = read_procfile()[PAGES].replace("webapp:create_app()", "tests.waiting_app:app")


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    folder = tmp_path_factory.mktemp("web")
    make_runtime(folder / "var").database.engine.dispose()
    with web_process(folder) as made:
        yield made


@pytest.fixture
def waiting(tmp_path: Path) -> Iterator[Web]:
    """A web process with the pages of `tests.waiting_app`."""
    (tmp_path / "var").mkdir()
    with web_process(tmp_path, WAITING) as made:
        yield made


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Web]:
    """The same pages, served by two processes."""
    (tmp_path / "var").mkdir()
    with web_process(tmp_path, WAITING, WEB_CONCURRENCY="2") as made:
        wait_until("both", lambda: len(serving(made)) == 2)
        yield made


def serving(web: Web) -> list[psutil.Process]:
    return psutil.Process(web.process.pid).children()


def read_all(client: socket.socket, end: Callable[[bytes], bool]) -> bytes:
    client.settimeout(30)
    got = b""
    while not end(got):
        more = client.recv(65536)
        assert more, "the connection was closed"
        got += more
    return got


def asked_to_wait(web: Web, name: str) -> socket.socket:
    """A connection whose request is answered as soon as there is a file of that name. The request has begun."""
    client = web.connect()
    client.sendall(f"GET /wait/{name} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    wait_until("the request", (web.log.parent / "var" / f"{name}.begun").exists)
    return client


def is_refused(web: Web) -> bool:
    try:
        web.connect(1).close()
    except OSError:
        return True
    return False


def test_a_running_request_is_answered_before_the_process_ends(waiting):
    with asked_to_wait(waiting, "a") as client:
        waiting.process.terminate()
        assert waiting.process.poll() is None
        (waiting.log.parent / "var" / "a").touch()
        answer = read_all(client, lambda got: got.endswith(b"ok"))
    assert answer.startswith(b"HTTP/1.1 200")
    assert waiting.process.wait(20) == 0
    assert waiting.log.read_text() == ""
    assert is_refused(waiting)


def test_no_request_is_lost_while_the_processes_are_replaced(two):
    replaced, over, answers = serving(two), threading.Event(), []

    def ask_on():
        while not over.is_set():
            answers.append(httpx.post(two.address, timeout=30).text)

    visitors = [threading.Thread(target=ask_on) for _ in range(3)]
    for visitor in visitors:
        visitor.start()
    two.process.send_signal(signal.SIGHUP)
    wait_until("others", lambda: len(serving(two)) == 2 and not set(replaced) & set(serving(two)))
    over.set()
    for visitor in visitors:
        visitor.join()
    assert set(answers) == {"ok"}


def test_a_killed_process_is_replaced(two):
    killed = serving(two)
    for process in killed:
        process.kill()
    wait_until("others", lambda: len(serving(two)) == 2 and not set(killed) & set(serving(two)))
    assert httpx.get(two.address, timeout=20).text == "ok"


def test_the_process_that_starts_others_does_not_load_the_program(web):
    first, (serves,) = psutil.Process(web.process.pid), serving(web)
    assert [has_database(process) for process in (first, serves)] == [False, True]


def has_database(process: psutil.Process) -> bool:
    return any("sqlalchemy" in part.path for part in process.memory_maps())


def test_a_request_with_too_large_a_head_is_refused(web):
    with web.connect() as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Large: " + b"a" * 9000 + b"\r\n\r\n")
        assert re.match(rb"HTTP/1.1 4\d\d ", read_all(client, lambda got: b"\r\n" in got))


def test_a_form_that_is_too_large_gets_an_error_page(web):
    answer = httpx.post(f"{web.address}/sign-in", data={"address": "a" * (LARGEST_FORM + 1)}, headers=OURS)
    assert answer.status_code == 413
    assert "longer than any form of ours" in answer.text


def test_a_header_that_a_proxy_might_set_moves_no_page(web):
    said = b"GET / HTTP/1.1\r\nHost: localhost\r\nSCRIPT_NAME: /moved\r\nX-Forwarded-Proto: https\r\n\r\n"
    with web.connect() as client:
        client.sendall(said)
        answer = read_all(client, lambda got: b"</html>" in got)
    assert answer.startswith(b"HTTP/1.1 200")
    assert b"/moved" not in answer


def test_no_log_line_holds_a_path(waiting):
    for said in (
        b"GET /turn/secret HTTP/1.1\r\nBad Header\r\n\r\n",
        b"GET /turn/secret NONSENSE\r\n\r\n",
        b"GET /fail/secret HTTP/1.1\r\n\r\n",
    ):
        with waiting.connect() as client:
            client.sendall(said)
            read_all(client, lambda got: b"\r\n" in got)
    waiting.process.terminate()
    waiting.process.wait(20)
    assert "RuntimeError" in waiting.log.read_text()
    assert "secret" not in waiting.log.read_text()
