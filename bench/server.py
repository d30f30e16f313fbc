"""Compares web servers of the same pages, with nginx before them and without: python -m bench.server

The table is that of docs/performance.md. The servers take turns, so that other load on the machine affects all alike;
client, proxy and servers share its processors. `--before CHECKOUT` adds the server of another checkout. granian is left
out where it is not installed.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, nullcontext
from http.client import HTTPConnection, HTTPException
from importlib.util import find_spec
from itertools import product
from pathlib import Path

from bench.pages import a_turn
from bench.printing import say, say_load
from bench.serving import APP, GUNICORN, Running, serving
from tests.cast import make_runtime
from tests.proxies import site_proxy
from tests.servers import ROOT, wait_until
from tests.slow_clients import KINDS, TICK, SlowCrowd
from tests.web_process import Replaceable

GRANIAN = "--interface=wsgi --blocking-threads=4 --no-ws --log-level=warning --port={port} --factory webapp:create_app"
CROWDS = {"dripping head": 500, "dripping body": 50, "slow reader": 50}
MAX_SECONDS = 5.0  # to wait for a response
RESTARTS = 4
CLIENTS = 4  # that ask for pages at the same time


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--before", type=Path, help="another checkout of this project")
    asked.add_argument("--pages", type=int, default=400, help="in each round of the measurement of speed")
    asked.add_argument("--rounds", type=int, default=7, help="of which the middle counts")
    options = asked.parse_args()
    servers = {"gthread": ([*GUNICORN, APP], ROOT)}
    if find_spec("granian"):
        servers["granian"] = ([sys.executable, "-m", "granian", *GRANIAN.split()], ROOT)
    if options.before:
        servers["before"] = ([*GUNICORN, APP], options.before)
    say_load()
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        runtime = make_runtime(folder)
        link = a_turn(runtime)
        runtime.database.engine.dispose()
        running = {name: stack.enter_context(serving(folder, *server)) for name, server in servers.items()}
        report_speed(running, link, options.pages, options.rounds)
        for (name, server), is_behind in product(running.items(), (False, True)):
            with proxied(server.port, is_behind) as port:
                report_slow_clients(f"{name}{' behind nginx' * is_behind}", port, link)
        for name, (command, checkout) in servers.items():
            report_restarts(name, folder, command, checkout)
    say_load()
    return 0


@contextmanager
def proxied(port: int, is_behind: bool) -> Iterator[int]:
    """The port at which visitors ask: that of an nginx before the server, or the server's own."""
    with (
        tempfile.TemporaryDirectory() as folder,
        site_proxy(Path(folder), port) if is_behind else nullcontext(port) as at,
    ):
        yield at


def report_speed(running: dict[str, Running], link: str, pages: int, rounds: int) -> None:
    work: dict[str, list[float]] = {name: [] for name in running}
    pace: dict[str, list[float]] = {name: [] for name in running}
    for number, (name, server) in product(range(-1, rounds), running.items()):  # the first round is to warm up
        before, begun = server.worked, time.perf_counter()
        with ThreadPoolExecutor(CLIENTS) as clients:
            assert all(clients.map(lambda _, port=server.port: asked_for(port, link) is not None, range(pages)))
        if number >= 0:
            work[name].append(1000 * (server.worked - before) / pages)
            pace[name].append(pages / (time.perf_counter() - begun))
    for name, server in running.items():
        figures = f"{statistics.median(work[name]):.2f} ms of processor, {statistics.median(pace[name]):.0f} a second"
        say(f"{name:10} a turn page: {figures}; {server.memory:.0f} MB in {len(server.family)} processes")


def report_slow_clients(name: str, port: int, link: str) -> None:
    said = []
    for kind, number in CROWDS.items():
        with SlowCrowd(port, KINDS[kind], number) as crowd:
            wait_until("the crowd", lambda crowd=crowd, number=number: len(crowd) >= 0.9 * number, 30)
            time.sleep(3 * TICK)
            took = [asked_for(port, link) for _ in range(3)]
        said.append(f"{number} x {kind}: {shown(took)}")
        wait_until("the server again", lambda: asked_for(port, "/healthz"), 120)
    say(f"{name:22} {'; '.join(said)}")


def shown(took: list[float | None]) -> str:
    return "no page" if None in took else f"{1000 * max(one or 0 for one in took):.0f} ms"


def report_restarts(name: str, folder: Path, command: list[str], checkout: Path) -> None:
    """Prints how many requests are lost while new processes replace the old ones, in each way that there is."""
    for way, webs in {"HUP": 1, "TERM, two behind nginx": 2, "TERM, a socket of systemd's": 1}.items():
        with ExitStack() as stack:
            if "socket" in way and name == "granian":
                continue
            made = [Replaceable(folder, command, checkout, has_socket="socket" in way) for _ in range(webs)]
            started = [stack.enter_context(closing(one)) for one in made]
            port = started[0].port
            if webs > 1:
                behind = stack.enter_context(tempfile.TemporaryDirectory())
                port = stack.enter_context(site_proxy(Path(behind), *(one.port for one in started)))
            over = Event()
            with ThreadPoolExecutor(CLIENTS) as clients:
                found = [clients.submit(ask_on, port, over) for _ in range(CLIENTS)]
                for one in started * (RESTARTS // webs):
                    time.sleep(1)
                    one.reload() if way == "HUP" else one.replace()
                time.sleep(1)
                over.set()
            for one in found:
                asked += one.result()[0]
                lost += one.result()[1]
        say(f"{name:10} {RESTARTS} restarts by {way}: {len(lost)} of {asked:,} requests lost {Counter(lost) or ''}")


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


if __name__ == "__main__":
    sys.exit(main())
