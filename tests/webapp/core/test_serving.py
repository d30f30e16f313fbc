"""How pages are served: when clients time out, which are dropped when there are too many, and how a process ends."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Event

import httpx
import psutil
import pytest
from waitress import wasyncore
from waitress.adjustments import Adjustments

from scripts.run import PAGES, read_procfile
from tests.cast import make_runtime
from tests.servers import wait_until
from tests.slow_clients import Kind, SlowCrowd, slow_socket
from tests.web_process import Web, web_process
from webapp.core.serving import (
    IDLE_SECONDS,
    MAX_BODY_BYTES,
    MAX_HEAD_BYTES,
    REQUEST_SECONDS,
    RESPONSE_SECONDS,
    Server,
    asks_for_page,
)
from webapp.core.threads import SLOW_SECONDS
from webapp.site import LARGEST_FORM

GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
PAGE = b"x" * 1_000_000  # more than the kernel buffers for a client that does not read
WAITING = read_procfile()[PAGES].replace("webapp:create_app()", "tests.waiting_app:app")


class Loop:
    """A server on the loopback, served by the test's own thread whenever that waits for something."""

    def __init__(self) -> None:
        self.asked, self.released, self.ended = 0, Event(), Event()
        self.released.set()
        self.ended.set()
        self.is_written = False
        self._channels: dict[int, object] = {}
        self._listener = socket.create_server(("127.0.0.1", 0))
        at = self._listener.getsockname()
        self.server = Server(
            self._answer,
            self._channels,
            _sock=self._listener,
            adj=Adjustments(),
            sockinfo=(socket.AF_INET, socket.SOCK_STREAM, 0, at),
            bind_socket=False,
        )
        self._at = at

    def _answer(self, _, start_response):
        self.asked += 1
        assert self.released.wait(30)
        start_response("200 OK", [("Content-Length", str(len(PAGE)))])
        return self._page()

    def _page(self):
        half = len(PAGE) // 2
        yield PAGE[:half]
        yield PAGE[half:]
        self.is_written = True
        assert self.ended.wait(30)

    def queued(self) -> socket.socket:
        """A client that the kernel has accepted, and the server has not."""
        return socket.create_connection(self._at)

    def connect(self, said: bytes = b"", *, reads: bool = True) -> socket.socket:
        """A client that has sent something, which the server has read."""
        before = set(self.server.active_channels.values())
        client = socket.socket() if reads else slow_socket()
        client.connect(self._at)
        self.serve_until(lambda: set(self.server.active_channels.values()) - before)
        client.sendall(said)
        self.serve()
        return client

    def serve_until(self, check: Callable[[], object]) -> None:
        def serve_and_check() -> object:
            wasyncore.poll2(0.01, self._channels)
            return check()

        wait_until("what is served for", serve_and_check)

    def serve(self) -> None:
        """Serves what can be served now."""
        for _ in range(10):
            wasyncore.poll2(0.01, self._channels)

    def look(self, seconds: float) -> None:
        """The server checks timeouts, that many seconds from now."""
        self.server.maintenance(time.time() + seconds)

    def close(self) -> None:
        self.released.set()
        self.ended.set()
        self.server.task_dispatcher.shutdown()
        wasyncore.close_all(self._channels)


@pytest.fixture
def loop() -> Iterator[Loop]:
    made = Loop()
    yield made
    made.close()


def is_open(client: socket.socket) -> bool:
    client.settimeout(0)
    try:
        return bool(client.recv(1, socket.MSG_PEEK))
    except BlockingIOError:
        return True
    except ConnectionResetError:
        return False


def read_all(client: socket.socket, end: Callable[[bytes], bool]) -> bytes:
    client.settimeout(30)
    got = b""
    while not end(got):
        more = client.recv(65536)
        assert more, "the connection was closed"
        got += more
    return got


@pytest.mark.parametrize(
    ("said", "more", "seconds"),
    [
        pytest.param(b"", b"", IDLE_SECONDS, id="that says nothing"),
        pytest.param(b"GET / HTTP/1.1\r\nX-Slow: ", b"a", REQUEST_SECONDS, id="that sends a head byte by byte"),
        pytest.param(
            b"POST / HTTP/1.1\r\nContent-Length: 99\r\n\r\n", b"a", REQUEST_SECONDS, id="that sends a body byte by byte"
        ),
    ],
)
def test_a_slow_client_times_out(loop, said, more, seconds):
    with loop.connect(said) as client:
        loop.look(0)
        client.sendall(more)
        loop.serve()
        loop.look(seconds - 1)
        assert is_open(client)
        loop.look(seconds + 1)
        assert not is_open(client)
    assert loop.asked == 0


def test_a_client_that_does_not_read_times_out(loop):
    with loop.connect(GET, reads=False):
        (channel,) = loop.server.active_channels.values()
        loop.serve_until(lambda: channel.total_outbufs_len and not channel.is_being_answered)
        loop.look(0)
        loop.look(RESPONSE_SECONDS - 1)
        assert len(loop.server.active_channels) == 1
        loop.look(RESPONSE_SECONDS + 1)
        assert len(loop.server.active_channels) == 0


def test_a_client_whose_request_is_being_answered_does_not_time_out(loop):
    loop.released.clear()
    with loop.connect(GET) as client:
        loop.serve_until(lambda: loop.asked)
        loop.look(0)
        loop.look(10_000)
        loop.released.set()
        loop.serve_until(lambda: is_open(client) and client.recv(1, socket.MSG_PEEK))
        assert client.recv(12) == b"HTTP/1.1 200"


def test_each_response_restarts_a_clients_timeout(loop):
    with loop.connect() as client:
        loop.look(0)
        for seconds in (IDLE_SECONDS - 1, 2 * IDLE_SECONDS - 2):
            client.sendall(GET)
            read_all_served(loop, client, 1)
            loop.look(seconds)
            assert is_open(client)


def read_all_served(loop: Loop, client: socket.socket, answers: int) -> bytes:
    """That many responses, read while the server goes on."""
    got = bytearray()
    client.settimeout(0)

    def has_read() -> bool:
        try:
            got.extend(client.recv(65536))
        except BlockingIOError:
            return False
        return got.count(b"HTTP/1.1 200 OK") == answers and got.endswith(PAGE)

    loop.serve_until(has_read)
    return bytes(got)


def test_a_client_that_pipelines_requests_gets_each_response_as_it_reads(loop):
    with loop.connect(8 * GET, reads=False) as client:
        (channel,) = loop.server.active_channels.values()
        loop.serve_until(lambda: channel.is_unread)
        loop.serve()
        assert loop.asked == 1
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, len(PAGE))
        read_all_served(loop, client, 8)
    assert loop.asked == 8


def test_while_a_thread_answers_the_loop_leaves_the_writing_to_it(loop):
    loop.ended.clear()
    with loop.connect(GET, reads=False) as client:
        (channel,) = loop.server.active_channels.values()
        loop.serve_until(lambda: loop.is_written)
        unread = channel.total_outbufs_len
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, len(PAGE))
        client.settimeout(0.3)
        with suppress(TimeoutError):
            while client.recv(65536):
                pass
        loop.serve()
        assert channel.total_outbufs_len == unread > 0
        loop.ended.set()
        loop.serve_until(lambda: channel.total_outbufs_len < unread)


def test_the_loop_makes_room_for_a_thread_whose_response_fills_the_buffer(loop):
    loop.server.adj.outbuf_high_watermark = 10_000
    with loop.connect(GET, reads=False) as client:
        (channel,) = loop.server.active_channels.values()
        loop.serve_until(lambda: channel.total_outbufs_len > 10_000)
        assert channel.is_being_answered
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, len(PAGE))
        read_all_served(loop, client, 1)


def test_with_too_many_clients_the_one_whose_timeout_is_nearest_is_dropped(loop):
    loop.released.clear()
    loop.server.max_connections = 3
    with loop.connect() as silent, loop.connect(b"GET / ") as slow, loop.connect(GET) as asks, loop.connect() as new:
        loop.serve()
        assert [is_open(client) for client in (silent, slow, asks, new)] == [True, False, True, True]


def test_no_client_is_dropped_while_its_request_is_being_answered(loop):
    loop.released.clear()
    loop.server.max_connections = 1
    with loop.connect(GET) as first, loop.connect(GET) as second:
        loop.serve_until(lambda: loop.asked == 2)
        assert is_open(first)
        loop.released.set()
        for client in (first, second):
            read_all_served(loop, client, 1)


def test_connections_that_wait_to_be_accepted_are_answered_during_a_shutdown(loop):
    with ExitStack() as clients:
        waiting = [clients.enter_context(loop.queued()) for _ in range(5)]
        for client in waiting:
            client.sendall(GET)
        loop.server.shut_down()
        for client in waiting:
            read_all_served(loop, client, 1)


# the process


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


def asked_to_wait(web: Web, name: str) -> socket.socket:
    """A connection whose request is answered as soon as there is a file of that name. The request has begun."""
    client = asked(web, name)
    wait_until("the request", begun_file(web, name).exists)
    return client


def asked(web: Web, name: str) -> socket.socket:
    client = web.connect()
    client.sendall(f"GET /wait/{name} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return client


def begun_file(web: Web, name: str) -> Path:
    return web.log.parent / "var" / f"{name}.begun"


def test_running_requests_and_those_on_open_connections_are_answered_before_the_process_ends(waiting):
    with asked_to_wait(waiting, "a") as first, waiting.connect() as second:
        waiting.process.terminate()
        wait_until("a closed door", lambda: is_refused(waiting))
        second.sendall(GET)
        later = read_all(second, lambda got: got.endswith(b"ok"))
        assert b"Connection: close" in later
        assert second.recv(1) == b""
        assert waiting.process.poll() is None
        (waiting.log.parent / "var" / "a").touch()
        answer = read_all(first, lambda got: got.endswith(b"ok"))
    assert answer.startswith(b"HTTP/1.1 200")
    assert waiting.process.wait(20) == 0
    assert waiting.log.read_text() == ""


def test_with_a_file_as_database_a_request_begins_only_once_the_one_before_is_slow(waiting):
    with asked(waiting, "a"), asked(waiting, "b"):
        begun = [begun_file(waiting, name) for name in ("a", "b")]
        wait_until("both requests", lambda: all(file.exists() for file in begun))
        first, second = sorted(file.stat().st_mtime for file in begun)
        for file in begun:
            file.with_suffix("").touch()
        assert second - first > SLOW_SECONDS / 2  # the kernel's time of a file is a few milliseconds old


def test_with_a_server_as_database_two_pages_are_made_at_once_and_one_more_when_those_are_slow(tmp_path, postgres_url):
    (tmp_path / "var").mkdir()
    with web_process(tmp_path, WAITING, DATABASE_URL=postgres_url) as web, ExitStack() as clients:
        files = [begun_file(web, name) for name in "abc"]
        for name in "abc":
            clients.enter_context(asked(web, name))
        wait_until("all requests", lambda: all(file.exists() for file in files))
        first, _, third = sorted(file.stat().st_mtime for file in files)
        for file in files:
            file.with_suffix("").touch()
        assert third - first > SLOW_SECONDS / 2


@pytest.mark.parametrize(("method", "expected"), [("GET", True), ("HEAD", True), ("POST", False)])
def test_a_turn_is_no_page_that_waits_for_others(loop, method, expected):
    loop.released.clear()
    with loop.connect(f"{method} / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n".encode()):
        (channel,) = loop.server.active_channels.values()
        assert asks_for_page(channel) is expected


def is_refused(web: Web) -> bool:
    try:
        web.connect(1).close()
    except ConnectionRefusedError:
        return True
    except OSError:
        pass
    return False


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """The same pages, served by two processes."""
    folder = tmp_path_factory.mktemp("two")
    (folder / "var").mkdir()
    with web_process(folder, WAITING, WEB_CONCURRENCY="2") as made:
        yield made


def serving(web: Web) -> list[psutil.Process]:
    return psutil.Process(web.process.pid).children()


def test_as_many_processes_serve_as_the_setting_says(two):
    wait_until("two listeners", lambda: [listens_at(worker) for worker in serving(two)] == 2 * [[two.port]])
    assert httpx.get(two.address).text == "ok"


def test_a_killed_worker_is_replaced(two):
    wait_until("two listeners", lambda: [listens_at(worker) for worker in serving(two)] == 2 * [[two.port]])
    killed = serving(two)
    for worker in killed:
        worker.kill()
    wait_until("others", lambda: len(serving(two)) == 2 and not set(killed) & set(serving(two)))
    assert httpx.get(two.address, timeout=20).text == "ok"


def listens_at(process: psutil.Process) -> list[int]:
    return [line.laddr.port for line in process.net_connections() if line.status == psutil.CONN_LISTEN]


def test_with_few_file_descriptors_the_slowest_clients_are_dropped_and_none_delays_the_shutdown(tmp_path):
    (tmp_path / "var").mkdir()
    with (
        web_process(tmp_path, f"sh -c 'ulimit -n 150; exec {WAITING}'") as web,
        SlowCrowd(web.port, Kind(b"GET / HTTP/1.1\r\nX-Slow: ", b"a"), 200) as crowd,
    ):
        wait_until("somebody who had to go", lambda: crowd.given_up)
        assert httpx.get(web.address, timeout=20).text == "ok"
        assert web.log.read_text() == ""
        web.process.terminate()
        assert web.process.wait(20) == 0


def test_a_request_with_too_large_a_head_is_refused(web):
    with web.connect() as client:
        client.sendall(b"GET / HTTP/1.1\r\nX-Large: " + b"a" * MAX_HEAD_BYTES + b"\r\n\r\n")
        assert read_all(client, lambda got: b"\r\n" in got).startswith(b"HTTP/1.0 431")


def test_a_form_that_is_too_large_gets_an_error_page(web):
    ours = {"Sec-Fetch-Site": "same-origin"}
    answer = httpx.post(f"{web.address}/sign-in", data={"address": "a" * (LARGEST_FORM + 1)}, headers=ours)
    assert answer.status_code == 413
    assert "longer than any form of ours" in answer.text


@pytest.mark.parametrize(
    "length",
    [
        f"Content-Length: {MAX_BODY_BYTES}\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n" + f"{MAX_BODY_BYTES:x}\r\n" + "a" * MAX_BODY_BYTES,
    ],
    ids=["told", "in chunks"],
)
def test_a_body_that_is_far_too_large_is_not_stored(web, length):
    with web.connect() as client:
        client.sendall(f"POST /sign-in HTTP/1.1\r\nHost: localhost\r\n{length}".encode())
        assert read_all(client, lambda got: b"\r\n" in got).startswith(b"HTTP/1.1 413")


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
    assert "secret" not in waiting.log.read_text()


def test_a_response_does_not_name_the_server_software(web):
    assert "Server" not in httpx.get(web.address).headers
