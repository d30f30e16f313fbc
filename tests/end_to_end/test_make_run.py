"""`make run`: everything starts with one command, and nothing stays behind."""

import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import httpx
import psutil
import pytest
from alembic import command

from scripts.run import inbox_port
from tests.end_to_end.browsing import Browser
from tests.end_to_end.make import PROCESSES, Make, descendants, make_run
from tests.end_to_end.players import Player
from tests.servers import LONG, ROOT, free_port, wait_until
from tests.webapp.migrations.first_tables import make_first_tables
from tests.webapp.migrations.rows import broken_references
from webapp.core.database import Database
from webapp.migrations import config_for


@pytest.fixture
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def run_until(stop: Callable[[Make], object], folder: Path, do: Callable[[str], object]) -> None:
    """Starts the service, runs `do`, stops it, and checks that every process ends with a farewell."""
    home = f"http://127.0.0.1:{(port := free_port())}"
    with make_run(folder, port) as (make, said):
        wait_until("an address to open", lambda: home in said.read_text())
        assert httpx.get(home).status_code == 200
        do(home)
        wait_until("all processes", lambda: len(descendants(make)) >= PROCESSES)
        check_all_end(make, said, stop)


def check_all_end(make: Make, said: Path, stop: Callable[[Make], object]) -> None:
    started = descendants(make)
    stop(make)
    make.wait(LONG)
    _, left = psutil.wait_procs(started, timeout=LONG)
    assert left == []
    assert "Hearts by Mail has stopped" in said.read_text()
    assert "Traceback" not in said.read_text()


def press_ctrl_c(make: Make) -> None:
    os.killpg(make.pid, signal.SIGINT)


def interrupt_alone(make: Make) -> None:
    """Interrupts only make where the system allows it; elsewhere as Ctrl-C does."""
    if Path("/proc/self/status").exists():
        make.send_signal(signal.SIGINT)
    else:
        press_ctrl_c(make)


@pytest.mark.usefixtures("usual_umask")
def test_a_run_upgrades_and_the_next_one_finds_its_data(tmp_path: Path) -> None:
    """The first run ends when make alone is interrupted, the next one when it is killed.

    No other user may read the files of either. The first one finds a database without version 1.0's tables.
    """
    var = tmp_path / "var"
    url = f"sqlite:///{var / 'hearts.db'}"
    var.mkdir()
    make_first_tables(url)

    def play(home: str) -> None:
        with closing(Browser()) as browser:
            Player("Ann", browser=browser).open_table(home, [], 2)
        wait_for_a_letter(home)
        assert open_to_others(var) == []

    def look(home: str) -> None:
        wait_for_a_letter(home)
        assert open_to_others(var) == []

    run_until(interrupt_alone, tmp_path, play)
    open_to_all(var)
    run_until(lambda make: make.kill(), tmp_path, look)
    command.check(config_for(url))
    database = Database.at(url)
    assert broken_references(database.engine) == []
    database.engine.dispose()


def wait_for_a_letter(home: str) -> None:
    wait_until("a letter to Ann", lambda: "ann@example.org" in httpx.get(f"{home}/mailbox").text)


def open_to_all(folder: Path) -> None:
    """Opens files to others, as an earlier version left them."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def open_to_others(folder: Path) -> list[str]:
    """The files in a folder that others may read; a message may be gone by the time we look."""
    found = []
    for path in (folder, *folder.rglob("*")):
        with suppress(FileNotFoundError):
            found += [str(path)] if stat.S_IMODE(path.stat().st_mode) & 0o077 else []
    return found


@pytest.mark.parametrize("stop", [press_ctrl_c, lambda make: make.terminate()], ids=["Ctrl-C", "terminated"])
def test_make_may_be_stopped_while_the_database_is_upgraded(tmp_path: Path, stop: Callable[[Make], object]) -> None:
    with make_run(tmp_path, free_port()) as (make, said):
        wait_until("release", lambda: any("migrate" in words for words in commands(make)))
        check_all_end(make, said, stop)


def test_the_pages_stay_open_while_a_process_starts_again(tmp_path: Path) -> None:
    home = f"http://127.0.0.1:{(port := free_port())}"
    with make_run(tmp_path, port) as (make, said):
        wait_until("all processes", lambda: home in said.read_text() and bool(inboxes(make)))
        (killed,) = inboxes(make)
        killed.kill()
        wait_until("another inbox", lambda: bool(set(inboxes(make)) - {killed}))
        assert "inbox has ended by itself (status -9)" in said.read_text()
        assert httpx.get(home).status_code == 200
        check_all_end(make, said, lambda make: make.terminate())


def inboxes(make: Make) -> list[psutil.Process]:
    found = []
    for process in descendants(make):
        with suppress(psutil.NoSuchProcess):
            found += [process] if "worker.inbox" in process.cmdline() else []
    return found


def commands(make: Make) -> list[list[str]]:
    found = []
    for process in descendants(make):
        with suppress(psutil.NoSuchProcess):
            found.append(process.cmdline())
    return found


def test_an_interrupt_also_stops_a_script_in_the_background() -> None:
    """A shell starts its background jobs with interrupts ignored, `make` too, which then has to be terminated."""
    background = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    interrupted = "from scripts.run import Asked; asked = Asked(); signal.raise_signal(signal.SIGINT); assert asked"
    subprocess.run([sys.executable, "-c", f"{background}; {interrupted}"], cwd=ROOT, check=True)


def test_a_port_in_use_is_reported_with_a_clear_message(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with make_run(tmp_path, port) as (make, said):
            assert make.wait(LONG) != 0
    assert said.read_text().startswith(f"Port {port} is taken")
    assert "Traceback" not in said.read_text()


def test_the_listener_uses_the_port_beside_the_pages_or_another() -> None:
    taken = free_port()
    with socket.create_server(("127.0.0.1", taken)):
        found = inbox_port(str(taken - 25))
        assert found != taken
        with socket.create_server(("127.0.0.1", found)):
            pass
    assert inbox_port(str(taken - 25)) == taken
    assert 0 < inbox_port("65535") < 65536
