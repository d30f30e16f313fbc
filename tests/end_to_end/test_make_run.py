"""`make run`: everything starts with one command, and nothing stays behind."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import psutil
import pytest
from alembic import command

from scripts.run import inbox_port
from tests.end_to_end.browsing import Browser
from tests.end_to_end.players import Player
from tests.processes import heeding_interrupts
from tests.servers import LONG, ROOT, free_port, wait_until
from tests.webapp.migrations.rows import broken_references, read_dump, write_rows
from webapp.core.database import Database
from webapp.migrations import config_for, versions

Make = subprocess.Popen[bytes]
PROCESSES = 6  # the one that watches, web (two), worker, scheduler, inbox
STOPS: dict[str, Callable[[Make], object]] = {
    "Ctrl-C": lambda make: os.killpg(make.pid, signal.SIGINT),
    "make is terminated": lambda make: make.terminate(),
    "make is killed": lambda make: make.kill(),
}
if Path("/proc/self/status").exists():  # elsewhere make does not let us know
    STOPS["make is interrupted alone"] = lambda make: make.send_signal(signal.SIGINT)


@contextmanager
def make_run(folder: Path, port: int) -> Iterator[tuple[Make, Path]]:
    """`make run`, with the virtual environment that the tests have, and the file that takes what it says."""
    inherited = {name: text for name, text in os.environ.items() if not re.match("MAKE|MFLAGS|[A-Z]+_URL", name)}
    command = heeding_interrupts(["make", "run", f"VENV={sys.prefix}", "-o", f"{sys.prefix}/.runtime"])
    settings = {"DATA_DIR": str(folder / "var"), "PORT": str(port)}
    said = folder / "said"
    with said.open("wb") as output:
        make = subprocess.Popen(
            command, cwd=ROOT, env={**inherited, **settings}, stdout=output, stderr=output, start_new_session=True
        )
        try:
            yield make, said
        finally:
            for process in [make, *descendants(make)]:
                process.kill()
            make.wait()


def descendants(make: Make) -> list[psutil.Process]:
    try:
        return psutil.Process(make.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


@pytest.mark.parametrize("stop", STOPS.values(), ids=STOPS)
def test_every_process_ends_when(stop: Callable[[Make], object], tmp_path: Path) -> None:
    port = free_port()
    with make_run(tmp_path, port) as (make, said):
        wait_until("an address to open", lambda: f"http://127.0.0.1:{port}" in said.read_text())
        assert httpx.get(f"http://127.0.0.1:{port}/").status_code == 200
        wait_until("all processes", lambda: len(descendants(make)) >= PROCESSES)
        started = descendants(make)
        stop(make)
        make.wait(LONG)
        _, left = psutil.wait_procs(started, timeout=LONG)
        assert left == []
    assert "Hearts by Mail has stopped" in said.read_text()
    assert "Traceback" not in said.read_text()


def test_an_interrupt_is_heeded_also_in_the_background_of_a_script() -> None:
    """A shell starts its background jobs deaf to it; to `make` itself, too, which then has to be terminated."""
    background = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    interrupted = "from scripts.run import Asked; asked = Asked(); signal.raise_signal(signal.SIGINT); assert asked"
    subprocess.run([sys.executable, "-c", f"{background}; {interrupted}"], cwd=ROOT, check=True)


def test_the_next_run_finds_what_the_last_one_left(tmp_path: Path) -> None:
    port = free_port()
    with closing(Browser()) as browser:
        ann = Player("Ann", browser=browser)
        _run_once(tmp_path, port, lambda home: ann.open_table(home, [], seat_1_kind="robot", seat_2_kind="robot"))
    _run_once(tmp_path, port, lambda home: None)


def test_a_database_of_the_first_version_is_brought_up_to_date(tmp_path: Path) -> None:
    (tmp_path / "var").mkdir()
    url = f"sqlite:///{tmp_path / 'var' / 'hearts.db'}"
    command.upgrade(config_for(url), versions()[0])
    database = Database(url)
    write_rows(database.engine, read_dump(versions()[0]))
    port = free_port()
    with make_run(tmp_path, port) as (make, said):
        wait_until("an address to open", lambda: f"http://127.0.0.1:{port}" in said.read_text())
        os.killpg(make.pid, signal.SIGINT)
        make.wait(20)
    command.check(config_for(url))
    assert broken_references(database.engine) == []
    database.engine.dispose()
    assert "Traceback" not in said.read_text()


def _run_once(folder: Path, port: int, do: Callable[[str], object]) -> None:
    """Starts the service, does something there, waits for Ann's letter, and stops it."""
    home = f"http://127.0.0.1:{port}/"
    with make_run(folder, port) as (make, said):
        wait_until("an address to open", lambda: home.rstrip("/") in said.read_text())
        do(home)
        wait_until("a letter to Ann", lambda: "ann@example.org" in httpx.get(f"{home}mailbox").text)
        os.killpg(make.pid, signal.SIGINT)
        make.wait(LONG)


def test_a_port_that_is_taken_is_a_clear_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with make_run(tmp_path, port) as (make, said):
            assert make.wait(LONG) != 0
    assert said.read_text().startswith(f"Port {port} is taken")
    assert "Traceback" not in said.read_text()


def test_answers_are_taken_beside_the_pages_or_where_there_is_room() -> None:
    taken = free_port()
    with socket.create_server(("127.0.0.1", taken)):
        found = inbox_port(str(taken - 25))
        assert found != taken
        with socket.create_server(("127.0.0.1", found)):
            pass
    assert inbox_port(str(taken - 25)) == taken
    assert 0 < inbox_port("65535") < 65536
