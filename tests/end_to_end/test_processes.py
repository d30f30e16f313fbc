"""Killed tests leave nothing behind: no process that they started, and none of their databases."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tests.processes import of_run
from tests.servers import LONG, ROOT, wait_until

PROGRAMS = ("postgres", "valkey", "chrom", "gunicorn", "celery", "scheduler", "worker.inbox", "scripts.run")


@pytest.fixture
def folder() -> Iterator[Path]:
    """The folder of a run. Not in pytest's own, whose name is too long for a server's socket."""
    with tempfile.TemporaryDirectory() as made:
        Path(made).chmod(0o711)
        yield Path(made)


@pytest.mark.parametrize(
    ("test", "programs", "options"),
    [
        pytest.param("database", PROGRAMS[:1], [], id="alone"),
        pytest.param("everything", PROGRAMS, ["-n", "1"], id="with workers"),
    ],
)
def test_a_killed_run_leaves_no_process(
    folder: Path, tmp_path: Path, test: str, programs: tuple[str, ...], options: list[str]
) -> None:
    with running_tests(folder, test, options, tmp_path) as run:
        started = of_run(folder)
        commands = [" ".join(process.cmdline()) for process in started]
        assert [name for name in programs if not any(name in command for command in commands)] == []
        assert [*folder.rglob("hearts.db"), *folder.rglob("PG_VERSION")], "its databases"
        run.kill()
    psutil.wait_procs(started, timeout=LONG)
    assert [process for process in started if process.is_running()] == []
    wait_until("its folder is removed", lambda: not list(folder.iterdir()))


def test_a_run_that_writes_as_it_ends_leaves_nothing(folder: Path) -> None:
    program = """
import atexit
from tests.processes import Guarded
guarded = Guarded()
atexit.register(lambda: (guarded.folder / "servers").mkdir(parents=True))
guarded.end()
"""
    environment = {**os.environ, "TMPDIR": str(folder)}
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, check=True)
    assert list(folder.iterdir()) == []


@contextmanager
def running_tests(folder: Path, test: str, options: list[str], tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A run with its folder in `folder`, once it has started everything."""
    ready, said = tmp_path / "ready", tmp_path / "said"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-k", test, *options, "tests/left_running.py"]
    inherited = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST_")}
    environment = {**inherited, "TMPDIR": str(folder), "READY": str(ready)}
    with said.open("wb") as output:
        run = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output, start_new_session=True)
    try:
        wait_until("all is started", lambda: run.poll() is not None or ready.exists())
        assert run.poll() is None, said.read_text()
        yield run
    finally:
        run.kill()
        run.wait()
