"""Hundreds of slow clients delay nobody else: the web process of the Procfile, on embedded defaults."""

import time
from collections.abc import Iterator

import httpx
import pytest

from tests.cast import make_runtime, start_game, turn_link
from tests.servers import wait_until
from tests.slow_clients import KINDS, Kind, SlowCrowd
from tests.web_process import Web, web_process

SLOW = 500
PROMPT = 1.0  # seconds
TRIES = 3  # because the machine may be busy for a second


@pytest.fixture(scope="module")
def turn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Web, str]]:
    """A web process, and the address of a turn."""
    folder = tmp_path_factory.mktemp("slow")
    runtime = make_runtime(folder / "var")
    link = runtime.signer.local_url(turn_link(runtime, start_game(runtime), 0))
    runtime.database.engine.dispose()
    with web_process(folder) as web:
        yield web, f"{web.address}{link}"


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_500_slow_clients_of_one_kind_delay_no_page(turn: tuple[Web, str], kind: Kind) -> None:
    web, page = turn
    with SlowCrowd(web.port, kind, SLOW) as crowd:
        wait_until("all of them", lambda: len(crowd) == SLOW)
        wait_until("a first answer", lambda: is_prompt(f"{web.address}/healthz"))
        for _ in range(5):
            assert is_prompt(f"{web.address}/healthz")
        assert is_prompt(page)
    assert "/turn/" not in web.log.read_text()


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
