"""The web process of the Procfile, alone, for tests of how it serves."""

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scripts.run import PAGES, answers, read_procfile, start, stop
from tests.servers import free_port, wait_until


@dataclass(frozen=True)
class Web:
    """A web process: its address, and the file that takes its output."""

    port: int
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def connect(self, seconds: float = 20) -> socket.socket:
        """A connection without a request yet."""
        return socket.create_connection(("127.0.0.1", self.port), seconds)


@contextmanager
def web_process(folder: Path, command: str = "", **settings: str) -> Iterator[Web]:
    """The web process on the data in `folder`/var, once it answers; it has ended afterwards.

    `command` replaces the Procfile's, for which `{web}` stands.
    """
    port, log = free_port(), folder / "web.log"
    own = {"PATH": os.environ["PATH"], "PORT": str(port), "DATA_DIR": str(folder / "var")}
    command = (command or "{web}").format(web=read_procfile()[PAGES])
    with log.open("wb") as said:
        running = start({PAGES: command}, {**own, **settings}, said)
    process = running[PAGES]
    try:
        wait_until("a web process", lambda: process.poll() is not None or answers(f"http://127.0.0.1:{port}"), 60)
        assert process.poll() is None, log.read_text()
        yield Web(port, process, log)
    finally:
        stop(running)
