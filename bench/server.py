"""Compares the web process with other servers of the same pages: python -m bench.server

It measures pages per second over keep-alive connections and the processor time for each; memory; the service for
others while there are 500 slow clients of a kind; and the downtime after a worker is killed. The servers take turns, so
that other load on the machine affects all alike; client and servers share its processors. A server whose library is not
installed is left out: pip install gevent granian.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPException
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import NamedTuple

from bench.pages import a_turn
from bench.printing import say, say_load
from bench.serving import APP, GUNICORN, Running, serving
from tests.cast import make_runtime
from tests.servers import wait_until
from tests.slow_clients import KINDS, TICK, SlowCrowd

GRANIAN = "--interface=wsgi --blocking-threads=4 --no-ws --respawn-failed-workers --port={port} --factory"
SERVERS = {  # by name: the required library, and the command
    "as it is": ("gunicorn", [*GUNICORN, APP]),
    "gthread": ("gunicorn", [*GUNICORN, "-k", "gthread", "--threads", "4", APP]),
    "gevent": ("gevent", [*GUNICORN, "-k", "gevent", APP]),
    "granian": ("granian", [sys.executable, "-m", "granian", *GRANIAN.split(), "webapp:create_app"]),
}
SLOW = 500
ASKED = 5
MAX_SECONDS = 5.0  # seconds to wait for a response
TURN = "a turn"
PATHS = ("/healthz", TURN)
CONNECTIONS = (4, 32)


class Speed(NamedTuple):
    """Responses per second, and processor time for each in milliseconds."""

    answers: float
    work: float


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--seconds", type=float, default=3, help="of each measurement of speed")
    asked.add_argument("--rounds", type=int, default=5, help="of each measurement of speed, of which the middle counts")
    asked.add_argument("servers", nargs="*", metavar="SERVER", help=f"which, of {', '.join(SERVERS)}; all without")
    options = asked.parse_args()
    names = [name for name in options.servers or SERVERS if is_installed(name)]
    say_load()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        runtime = make_runtime(Path(folder))
        link = a_turn(runtime)
        runtime.database.engine.dispose()
        running = {name: stack.enter_context(serving(Path(folder), SERVERS[name][1])) for name in names}
        report_speed(running, link, options.seconds, options.rounds)
        report_memory(running)
        for name, server in running.items():
            report_slow_clients(name, server, link)
        for name, server in running.items():
            report_restart(name, server)
    say_load()
    return 0


def is_installed(name: str) -> bool:
    if find_spec(SERVERS[name][0]) is not None:
        return True
    say(f"{name}: left out, because {SERVERS[name][0]} is not installed")
    return False


def answered(port: int, path: str) -> bool:
    return asked_for(port, path) is not None


def asked_for(port: int, path: str) -> float | None:
    """The seconds until a response over a new connection; None if none came in time."""
    begun = time.perf_counter()
    connection = HTTPConnection("127.0.0.1", port, timeout=MAX_SECONDS)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        return time.perf_counter() - begun if answer.status == 200 else None
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()


def report_speed(running: dict[str, Running], link: str, seconds: float, rounds: int) -> None:
    say(f"\npages a second, and milliseconds of processor for each (middle of {rounds} rounds of {seconds:g} seconds)")
    cases = list(product(PATHS, CONNECTIONS))
    speeds: dict[tuple[str, str, int], list[Speed]] = {(name, *case): [] for name in running for case in cases}
    for number in range(-1, rounds):  # the first is to warm up
        for (path, connections), (name, server) in product(cases, running.items()):
            measured = speed(server, link if path == TURN else path, connections, seconds if number >= 0 else 1)
            speeds[name, path, connections] += [measured] if number >= 0 else []
    say(f"{'':12}" + "".join(f"{f'{path}, {connections} lines':>22}" for path, connections in cases))
    for name in running:
        middle = [[statistics.median(figures) for figures in zip(*speeds[name, *case], strict=True)] for case in cases]
        say(f"{name:12}" + "".join(f"{answers:>14,.0f} {work:>5.2f}ms" for answers, work in middle))


def speed(server: Running, path: str, connections: int, seconds: float) -> Speed:
    """The speed over that many connections, each of which sends a request as soon as it has the last response."""
    before = server.worked
    answers = asyncio.run(_answers(server.port, path, connections, seconds))
    return Speed(answers / seconds, 1000 * (server.worked - before) / max(answers, 1))


async def _answers(port: int, path: str, connections: int, seconds: float) -> int:
    clients = [Client(path) for _ in range(connections)]
    loop = asyncio.get_running_loop()
    lines = [(await loop.create_connection(lambda one=one: one, "127.0.0.1", port))[0] for one in clients]  # type: ignore[misc]
    await asyncio.sleep(seconds)
    answers = sum(client.answers for client in clients)
    for line in lines:
        line.abort()
    return answers


class Client(asyncio.Protocol):
    """Requests one page again and again on one connection, and reopens it if the server closes it."""

    def __init__(self, path: str) -> None:
        self._request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n".encode()
        self._missing, self._head = 0, b""
        self.answers = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._line = transport
        self._line.write(self._request)

    def data_received(self, data: bytes) -> None:
        if self._missing == 0:
            self._head += data
            head, end, body = self._head.partition(b"\r\n\r\n")
            if not end:
                return
            assert head.startswith(b"HTTP/1.1 200"), head
            length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            self._missing, self._head = int(length.partition(b":")[2]) - len(body), b""
        else:
            self._missing -= len(data)
        if self._missing == 0:
            self.answers += 1
            self._line.write(self._request)


def report_memory(running: dict[str, Running]) -> None:
    say("\nmemory after that: of all processes together, with what they share counted once")
    for name, server in running.items():
        say(f"{name:12}{server.memory:>8.0f} MB in {len(server.family)} processes")


def report_slow_clients(name: str, server: Running, link: str) -> None:
    say(f"\n{name}, with {SLOW} slow clients of a kind")
    for kind, how in KINDS.items():
        with SlowCrowd(server.port, how, SLOW) as crowd:
            time.sleep(5 * TICK)
            health = [asked_for(server.port, "/healthz") for _ in range(ASKED)]
            turn = asked_for(server.port, link)
            say(f"  {kind:14} /healthz {', '.join(map(shown, health))}; a turn {shown(turn)}", end="")
        say(f"; {crowd.given_up} connections ended by the server")
    wait_until(f"an answer of {name}, once they have gone", lambda: answered(server.port, "/healthz"), 120)


def shown(seconds: float | None) -> str:
    return "none" if seconds is None else f"{1000 * seconds:.0f} ms"


def report_restart(name: str, server: Running) -> None:
    children = server.process.children()
    if not children:
        say(f"{name}: one process, which nobody starts again")
        return
    workers = [child for child in children if "resource_tracker" not in " ".join(child.cmdline())]
    workers[-1].kill()
    begun = time.perf_counter()
    wait_until(f"an answer of {name} after its worker was killed", lambda: answered(server.port, "/healthz"), 60)
    say(f"{name}: answers {time.perf_counter() - begun:.2f} seconds after its worker was killed")


if __name__ == "__main__":
    sys.exit(main())
