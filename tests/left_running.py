"""Not a test: a run that has started everything, to be killed by `test_processes`."""

import os
import time
from pathlib import Path

import httpx
from playwright.sync_api import Browser

from tests.cast import start_game
from tests.end_to_end.make import PROCESSES, descendants, make_run
from tests.runtimes import make_runtime
from tests.servers import free_port, site_server, wait_until

LONGER_THAN_ANYBODY_WAITS = 600


def wait_to_be_killed() -> None:
    Path(os.environ["READY"]).touch()
    time.sleep(LONGER_THAN_ANYBODY_WAITS)


def test_with_a_database(postgres_url: str, tmp_path: Path) -> None:
    start_game(make_runtime(tmp_path / "var", postgres_url))
    wait_to_be_killed()


def test_with_everything(postgres_url: str, valkey_url: str, browser: Browser, tmp_path: Path) -> None:
    runtime, port = make_runtime(tmp_path / "var"), free_port()
    start_game(runtime)
    with site_server(runtime) as address, make_run(tmp_path, port) as (make, said):
        browser.new_page().goto(address)
        wait_until("an address to open", lambda: f"http://127.0.0.1:{port}" in said.read_text())
        wait_until("all processes", lambda: len(descendants(make)) >= PROCESSES)
        assert httpx.get(f"http://127.0.0.1:{port}/").status_code == 200
        wait_to_be_killed()
