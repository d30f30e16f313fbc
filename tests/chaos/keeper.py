"""Keeps a set-up running, as a supervisor does: what was killed or has ended is started again."""

import subprocess
import time
from collections import Counter
from collections.abc import Mapping
from typing import Protocol

from scripts.run import FIRST, read_procfile
from tests.end_to_end.service import Service

PROCESSES = tuple(name for name in read_procfile() if name != FIRST)
PAUSE = 1.0  # seconds before what has ended by itself is started again


class Server(Protocol):
    """A server on which the service stands."""

    @property
    def is_running(self) -> bool: ...

    def kill(self) -> None: ...

    def start(self) -> None: ...


class Keeper:
    """Starts processes and servers again. One thread uses it, and calls `look` often."""

    def __init__(
        self, service: Service, servers: Mapping[str, Server], settings: Mapping[str, Mapping[str, str]]
    ) -> None:
        self._service, self._servers = service, servers
        self._settings = settings  # by process, what it gets besides those of the service when it is started again
        self._due: dict[str, float] = {}  # by name, when what does not run is to be started
        self.ended: Counter[str] = Counter()  # how often each has ended by itself, with its exit code and what was down

    def kill(self, name: str, seconds: float) -> None:
        """Kills a process or a server, and starts it again `seconds` later; one that is down starts no sooner."""
        if name in self._due:
            self._due[name] = max(self._due[name], time.monotonic() + seconds)
            return
        self._servers[name].kill() if name in self._servers else self._service.kill(name)
        self._due[name] = time.monotonic() + seconds

    def stop_processes(self) -> None:
        for name in list(self._service.running):
            self._service.kill(name)

    def start_processes(self) -> None:
        for name in PROCESSES:
            self._due.pop(name, None)
            self._start(name)

    def look(self) -> None:
        self._note_ended()
        for name in [name for name, at in self._due.items() if at <= time.monotonic()]:
            del self._due[name]
            if name in self._servers:
                self._start_server(name)
            else:
                self._start(name)

    @property
    def is_complete(self) -> bool:
        """Whether everything runs, or ran a moment ago."""
        self._note_ended()
        return not self._due

    def _note_ended(self) -> None:
        codes = {name: process.poll() for name, process in self._service.running.items()}
        ended = {name: f"{name} with exit code {code}" for name, code in codes.items() if code is not None}
        ended |= {name: name for name, one in self._servers.items() if name not in self._due and not one.is_running}
        down = " and ".join(name for name in self._servers if name in self._due)
        for name, words in ended.items():
            self.ended[f"{words} while {down} was down" if down else words] += 1
            self._service.running.pop(name, None)
            self._due[name] = time.monotonic() + PAUSE

    def _start(self, name: str) -> None:
        self._service.start_again(name, **self._settings.get(name, {}))

    def _start_server(self, name: str) -> None:
        try:
            self._servers[name].start()
        except (subprocess.SubprocessError, AssertionError):  # its disk is still full
            self._due[name] = time.monotonic() + PAUSE
