"""The web process of the Procfile, alone, for tests of how it serves and how it is replaced."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Event

from scripts.run import PAGES, answers, read_procfile, start, stop
from tests.servers import ROOT, free_port, wait_until

HANDING = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
os.execvp(sys.argv[2], sys.argv[2:])
"""
ANSWERED = ("GET 200", "POST 405")  # what `asking` finds at /healthz, which takes no form
RELOAD_SECONDS = 10  # a second signal must not come before the first has done its work


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


class Replaceable:
    """A web process that is replaced as a supervisor does it, while others ask for its pages.

    With a socket, this process holds its port, as systemd does.
    """

    def __init__(self, folder: Path, command: Sequence[str], checkout: Path = ROOT, *, has_socket: bool) -> None:
        self._checkout, self._listener = checkout, socket.create_server(("127.0.0.1", 0), backlog=2048)
        self.port: int = self._listener.getsockname()[1]
        words = [word.format(port=self.port) for word in command]
        if has_socket:
            words = [sys.executable, "-c", HANDING, str(self._listener.fileno()), *words]
        else:
            self._listener.close()
        self._handed = [self._listener.fileno()] if has_socket else []
        self._words = words
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
        self._settings = {"DATA_DIR": str(folder), "PORT": str(self.port), "PYTHONPATH": str(checkout), "PATH": path}
        self._start()

    def _start(self) -> None:
        self._process = subprocess.Popen(
            self._words, cwd=self._checkout, env={**os.environ, **self._settings}, pass_fds=self._handed
        )
        wait_until("a web process", lambda: answers(f"http://127.0.0.1:{self.port}"))

    def reload(self) -> None:
        """Lets it replace the processes that serve."""
        self._process.send_signal(signal.SIGHUP)
        time.sleep(RELOAD_SECONDS)

    def replace(self) -> None:
        """Ends it, and then starts another one."""
        self._end()
        self._start()

    def close(self) -> None:
        self._end()
        self._listener.close()

    def _end(self) -> None:
        self._process.terminate()
        self._process.wait()


@contextmanager
def asking(port: int, visitors: int) -> Iterator[Counter[str]]:
    """So many visitors ask for pages and send forms, as fast as they can; the outcomes are counted at the end."""
    found: Counter[str] = Counter()
    over = Event()
    with ThreadPoolExecutor(visitors) as threads:
        asked = [threads.submit(_ask_on, port, over) for _ in range(visitors)]
        try:
            yield found
        finally:
            over.set()
    for one in asked:
        found.update(one.result())


def _ask_on(port: int, over: Event) -> Counter[str]:
    found: Counter[str] = Counter()
    while not over.is_set():
        method, form = ("POST", b"card=QS") if found.total() % 2 else ("GET", None)
        connection = HTTPConnection("127.0.0.1", port, timeout=30)
        try:
            connection.request(method, "/healthz", form, {"Sec-Fetch-Site": "same-origin"})
            answer = connection.getresponse()
            answer.read()
            found[f"{method} {answer.status}"] += 1
        except (OSError, HTTPException) as error:
            found[f"{method} {type(error).__name__}"] += 1
        finally:
            connection.close()
    return found
