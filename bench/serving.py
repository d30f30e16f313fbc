"""Starts the site for a benchmark, as a server process of its own."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import NamedTuple

import psutil

from tests.servers import ROOT, free_port, wait_until

APP = "webapp:create_app()"
GUNICORN = (sys.executable, "-m", "gunicorn")
SECONDS = 10  # for a server to end that was asked to


class Running(NamedTuple):
    """A running server."""

    port: int
    process: psutil.Popen

    @property
    def family(self) -> list[psutil.Process]:
        """All its processes."""
        return [self.process, *self.process.children(recursive=True)]

    @property
    def worked(self) -> float:
        """The processor time that they have used, in seconds."""
        return sum(sum(one.cpu_times()[:2]) for one in self.family)

    @property
    def memory(self) -> float:
        """The memory of all of them in MB, what they share counted once."""
        return sum(one.memory_full_info().pss for one in self.family) / 2**20


@contextmanager
def serving(
    folder: Path, command: Sequence[str] = (*GUNICORN, APP), checkout: Path = ROOT, **settings: str
) -> Iterator[Running]:
    """A server of the data in `folder`, on a free port, once it responds; by default as in the Procfile.

    It is that of a `checkout` of this project. "{port}" in its `command` is its port. Its output goes to a file, which
    is shown if it dies.
    """
    port = free_port()
    environment = {**os.environ, "DATA_DIR": str(folder), "PORT": str(port), "PYTHONPATH": str(checkout), **settings}
    words = [word.format(port=port) for word in command]
    with (folder / "said").open("wb") as said:
        process = psutil.Popen(words, cwd=checkout, env=environment, stdout=said, stderr=said)
        try:
            wait_until("a server that answers", lambda: process.poll() is not None or answers(port))
            assert process.poll() is None, (folder / "said").read_text()
            yield Running(port, process)
        finally:
            _end(process)


def answers(port: int, path: str = "/") -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def _end(process: psutil.Popen) -> None:
    """Ends a server, and kills those of its processes that do not end."""
    family = [process, *process.children(recursive=True)] if process.poll() is None else []
    process.terminate()
    psutil.wait_procs(family, SECONDS)
    for one in family:
        if one.is_running():
            one.kill()
