"""`scripts/run.py` starts a process again that ends by itself; `end_to_end/test_make_run.py` runs the service."""

import os
import time
from contextlib import suppress

import psutil
import pytest

from scripts import run


class Asked:
    """Asks the service to stop once the file has so many lines, or all else fails."""

    def __init__(self, file, lines, seconds=20.0):
        self.file, self.lines, self.until = file, lines, time.monotonic() + seconds

    def __bool__(self):
        written = self.file.read_text().count("\n") if self.file.exists() else 0
        return written >= self.lines or time.monotonic() > self.until


@pytest.fixture
def starts(tmp_path):
    return tmp_path / "starts"


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(run, "PAUSE", 0.05)
    monkeypatch.setattr(run, "LONG_PAUSE", 0.2)
    monkeypatch.setattr(run, "POLL_SECONDS", 0.01)


def keep(commands, asked):
    """Starts and keeps the commands until `asked`. Returns what `keep` does, and which of them run then."""
    running = run.start(commands, os.environ)
    try:
        return run.keep(running, commands, os.environ, asked), {*running}
    finally:
        run.stop(running)


def noting(starts, end):
    return f"sh -c 'echo started >> {starts}; {end}'"


@pytest.mark.parametrize("end", ["exit 7", "exit 0", "kill -9 $$"])
def test_a_process_that_ends_by_itself_starts_again(starts, capsys, end):
    commands = {"inbox": noting(starts, end), "web": "sleep 60"}
    assert keep(commands, Asked(starts, lines=2)) == ({}, {"inbox", "web"})
    assert "inbox has ended by itself" in capsys.readouterr().out


def test_after_three_ends_the_others_go_on(starts, capsys):
    commands = {"inbox": noting(starts, "exit 2"), "web": "sleep 60"}
    began = time.monotonic()
    assert keep(commands, Asked(starts, lines=9, seconds=2.0)) == ({}, {"web"})
    assert starts.read_text().count("\n") == run.ENDS
    assert time.monotonic() - began >= 2 * run.LONG_PAUSE, "a wrong setting is not tried again at once"
    said = capsys.readouterr().out
    assert "inbox has ended by itself 3 times (status 2) and stays down." in said
    assert "The others go on: web." in said


def test_ends_that_are_far_apart_give_no_process_up(starts, monkeypatch):
    monkeypatch.setattr(run, "WITHIN", 0.01)
    assert keep({"inbox": noting(starts, "exit 1")}, Asked(starts, lines=run.ENDS + 2)) == ({}, {"inbox"})


def test_the_service_ends_once_no_process_is_left(starts, capsys):
    given_up, left = keep({"inbox": noting(starts, "exit 3")}, Asked(starts, lines=9))
    assert (given_up, left) == ({"inbox": 3}, set())
    assert run.ending(given_up) == 3
    assert "so everything was stopped" in capsys.readouterr().out


def test_a_child_of_a_dead_process_is_not_left_behind(starts, tmp_path):
    children = tmp_path / "children"
    commands = {"worker": noting(starts, f"sleep 60 & echo $! >> {children}; exit 1")}
    keep(commands, Asked(starts, lines=9))
    assert [pid for pid in children.read_text().split() if is_alive(int(pid))] == []


def is_alive(pid):
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    return False
