"""The proxy of a machine with the units, before the web process of the Procfile: what the two of them do together."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from scripts.run import PAGES, read_procfile
from tests.cast import start_game
from tests.proxies import nginx, site_proxy
from tests.runtimes import make_runtime
from tests.servers import wait_until
from tests.slow_clients import KINDS, Kind, SlowCrowd
from tests.web_process import ANSWERED, Replaceable, asking, web_process

SLOW = 500
PROMPT = 1.0  # seconds
TRIES = 3  # because the machine may be busy for a second
RESTARTS = 3


@pytest.fixture(autouse=True, scope="module")
def _nginx() -> None:
    if not nginx():
        pytest.fail("nginx is not installed (Debian, Ubuntu: apt install nginx; it need not run).", pytrace=False)


@pytest.fixture(scope="module")
def turn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, str]]:
    """The port of a proxy, and the path of a turn there."""
    folder = tmp_path_factory.mktemp("slow")
    runtime = make_runtime(folder / "var")
    link = runtime.signer.local_url(start_game(runtime).turn_link(0))
    runtime.database.engine.dispose()
    with web_process(folder) as web, site_proxy(folder, web.port) as port:
        yield port, link


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_500_slow_clients_of_one_kind_delay_no_page(turn: tuple[int, str], kind: Kind) -> None:
    port, link = turn
    with SlowCrowd(port, kind, SLOW) as crowd:
        wait_until("all of them", lambda: len(crowd) == SLOW)
        for path in (*["/healthz"] * 5, link):
            assert is_prompt(f"http://127.0.0.1:{port}{path}")


def is_prompt(address: str) -> bool:
    """Whether a page loads completely within a second, at the first try or a later one."""
    for _ in range(TRIES):
        begun = time.monotonic()
        try:
            answer = httpx.get(address, timeout=PROMPT)
        except httpx.TimeoutException:
            continue
        assert answer.status_code == 200
        if time.monotonic() - begun < PROMPT:
            return True
    return False


def test_a_restart_behind_a_socket_of_systemds_loses_no_request(tmp_path: Path) -> None:
    make_runtime(tmp_path / "var").database.engine.dispose()
    command = ["sh", "-c", f"exec {read_procfile()[PAGES]}"]
    with (
        closing(Replaceable(tmp_path / "var", command, has_socket=True)) as web,
        site_proxy(tmp_path, web.port) as port,
        asking(port, 4) as answers,
    ):
        for _ in range(RESTARTS):
            time.sleep(1)
            web.replace()
    assert answers.total() > RESTARTS
    assert set(answers) <= set(ANSWERED)


def test_a_page_is_compressed_for_who_accepts_it(turn: tuple[int, str]) -> None:
    port, _ = turn
    rules = f"http://127.0.0.1:{port}/privacy"
    answer = httpx.get(rules)
    assert answer.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in answer.headers["Vary"]
    plain = httpx.get(rules, headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers
    assert plain.text == answer.text
