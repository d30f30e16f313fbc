"""Nothing that the tests start outlives them, however they end, even if they are killed.

A run of the tests has its own folder, which every process that it starts gets as its TMPDIR: it holds their
databases, the files of their servers, and those of their browsers. Beside the run waits a guard, a process that learns
from the end of a pipe that the run is over. It then ends every process that got the folder, and removes the folder.

This file is also the guard's program, so it imports little.
"""

import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import psutil

MEMORY = Path("/dev/shm")  # a file system in memory, where Linux has one: commits wait for no disk there
ROOM = 2 << 30  # bytes that must be free in it
GIVEN = ("TMPDIR", "DATA_DIR", "MAIL_CONFIG")  # variables that name a folder to a process; the last is Postfix's
PATIENCE = 5.0  # seconds that a process has to end when it is asked to
LONGEST = 60.0  # seconds that a guard tries
HEEDING = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execvp(sys.argv[1], sys.argv[1:])"


class Guarded:
    """A run of the tests that begins now; `folder` is its own."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="hearts-tests-", dir=_where()))
        self.folder.chmod(0o711)  # some servers run as their own users, who must be able to reach their files
        self._guard = subprocess.Popen(
            [sys.executable, __file__, self.folder], stdin=subprocess.PIPE, start_new_session=True
        )
        os.environ["TMPDIR"] = tempfile.tempdir = str(self.folder)
        # As it ends, this process may make the folder anew. The first to be registered is the last to be called.
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)

    def end(self) -> None:
        """Waits until the run has left no process and no file."""
        self._guard.communicate()


def heeding_interrupts(command: Iterable[str]) -> list[str]:
    """The same command, for `Popen`, but interruptible even if we are not, as in a shell's background job."""
    return [sys.executable, "-c", HEEDING, *command]


def _where() -> str | None:
    """The cheapest place for temporary files; None if Python's default is right, as where a user has set it."""
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK):
        return None
    return str(MEMORY) if shutil.disk_usage(MEMORY).free > ROOM else None


def of_run(folder: Path) -> list[psutil.Process]:
    """Every process that got the folder, and its children."""
    found = {process for process in psutil.process_iter() if process.pid != os.getpid() and _was_given(process, folder)}
    return [*found.union(*(_started_by(process) for process in found))]


def _was_given(process: psutil.Process, folder: Path) -> bool:
    """Whether a process is of the run, even a server that shows its state in place of its environment."""
    try:
        given = process.environ()
        places = [given.get(name, "") for name in GIVEN] if given else [process.cwd()]
    except (psutil.Error, OSError):
        return False
    return any(Path(place).is_relative_to(folder) for place in places)


def _started_by(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children(recursive=True)
    except psutil.Error:
        return []


def clear(folder: Path) -> None:
    """Ends every process of the run and removes its folder."""
    began = time.monotonic()
    while (left := of_run(folder)) and time.monotonic() < began + LONGEST:
        number = signal.SIGTERM if time.monotonic() < began + PATIENCE else signal.SIGKILL
        for process in left:
            try:
                process.send_signal(number)
            except psutil.Error:
                continue
        psutil.wait_procs(left, timeout=1)
    while folder.exists() and time.monotonic() < began + LONGEST:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.stdin.read()
    clear(Path(sys.argv[1]))
