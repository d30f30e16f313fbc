"""The proxy of compose.yaml: nginx, by its configuration, before two web processes of the test's own.

Left out is what nginx knows only from 1.25.1 (`http2`) and 1.27.3 on (`resolve`, which asks Docker for addresses).
"""

import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread

import httpx
import pytest

from tests.certificates import certificate
from tests.proxies import nginx, running_nginx, temporary_in
from tests.servers import LONG, ROOT, free_port

CONFIGURATION = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
PATH = "/turn/the-key-to-a-seat"
LIMIT = 101  # requests at once: the burst, and the one that is due


@dataclass
class WebProcess:
    """A listener that notes each request; it answers, or hangs up once it has read the request."""

    answers: bool = True
    requests: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(LONG)
                self.requests.append(connection.recv(65536).decode())
                if self.answers:
                    connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok")

    def end(self) -> None:
        """Refuses every connection from now on."""
        with suppress(OSError):  # where it has ended before
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


@dataclass(frozen=True)
class Proxy:
    http: str
    https: str
    webs: tuple[WebProcess, WebProcess]
    log: Path


@contextmanager
def running_proxy(folder: Path, webs: tuple[WebProcess, WebProcess]) -> Iterator[Proxy]:
    http, https, tls = free_port(), free_port(), certificate(folder, "127.0.0.1")
    here = {
        "http2 on;": "",
        " resolve ": " ",
        "/etc/hearts/tls/fullchain.pem": str(tls),
        "/etc/hearts/tls/privkey.pem": str(tls),
        "listen 80;": f"listen 127.0.0.1:{http};",
        "listen 443 ": f"listen 127.0.0.1:{https} ",
        "web-1:8000": f"127.0.0.1:{webs[0].port}",
        "web-2:8000": f"127.0.0.1:{webs[1].port}",
        "\nhttp {": "\nhttp {" + temporary_in(folder),
    }
    text = CONFIGURATION
    for theirs, ours in here.items():
        assert theirs in text
        text = text.replace(theirs, ours)
    with running_nginx(folder, text) as log:
        yield Proxy(f"http://127.0.0.1:{http}", f"https://127.0.0.1:{https}", webs, log)


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[Proxy]:
    if not nginx():
        pytest.fail("nginx is not installed (Debian, Ubuntu: apt install nginx; it need not run).", pytrace=False)
    webs = WebProcess(), WebProcess()
    with running_proxy(tmp_path, webs) as running:
        yield running
    for web in webs:
        web.end()


@pytest.fixture
def visitor() -> Iterator[httpx.Client]:
    with closing(httpx.Client(verify=False, timeout=LONG)) as client:
        yield client


def test_a_visitor_is_sent_to_https(proxy: Proxy, visitor: httpx.Client) -> None:
    assert visitor.get(f"{proxy.http}{PATH}").headers["location"] == f"https://127.0.0.1{PATH}"


def test_requests_go_to_the_other_web_process_while_one_fails(proxy: Proxy, visitor: httpx.Client) -> None:
    proxy.webs[0].end()
    for _ in range(4):
        assert visitor.get(f"{proxy.https}{PATH}").status_code == 200
        assert visitor.post(f"{proxy.https}{PATH}", data={"card": "QS"}).status_code == 200
    assert len(proxy.webs[1].requests) == 8


def test_a_web_process_learns_the_visitors_real_address(proxy: Proxy, visitor: httpx.Client) -> None:
    visitor.get(f"{proxy.https}{PATH}", headers={"X-Forwarded-For": "192.0.2.7"})
    (request,) = proxy.webs[0].requests + proxy.webs[1].requests
    assert "X-Forwarded-For: 192.0.2.7, 127.0.0.1\r\n" in request


def test_a_form_that_may_have_been_accepted_is_not_resent(proxy: Proxy, visitor: httpx.Client) -> None:
    for web in proxy.webs:
        web.answers = False
    assert visitor.post(f"{proxy.https}{PATH}", data={"card": "QS"}).status_code == 502
    assert sorted(len(web.requests) for web in proxy.webs) == [0, 1]
    assert visitor.get(f"{proxy.https}{PATH}").status_code == 502
    assert sorted(len(web.requests) for web in proxy.webs) == [1, 2], "a page is asked of both"


def test_too_many_requests_are_rejected_as_such(proxy: Proxy, visitor: httpx.Client) -> None:
    answers = [visitor.get(proxy.https).status_code for _ in range(3 * LIMIT)]
    assert answers[:LIMIT] == [200] * LIMIT
    assert set(answers) == {200, 429}


def test_no_log_has_the_path_of_a_page(proxy: Proxy, visitor: httpx.Client) -> None:
    for web in proxy.webs:
        web.end()
    assert visitor.get(f"{proxy.https}{PATH}").status_code == 502
    assert PATH not in proxy.log.read_text()
