"""Runs the whole service on this machine for `make run` and `hearts-by-mail run`.

First comes `release` from the Procfile, then all other processes. One that ends by itself is started again; one that
does so time and again is given up, and the others go on. All stop on Ctrl-C, and when the program that called this one
has gone. In production a supervisor runs the lines of the Procfile instead.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import IO, Any

from webapp.core import data_folder

CHECKOUT = Path(__file__).resolve().parent.parent
INSTALLED = Path(sys.prefix) / "share" / "hearts-by-mail"
ROOT = CHECKOUT if (CHECKOUT / "Procfile").exists() else INSTALLED  # of the Procfile, and of what its commands read
FOLDER = CHECKOUT if ROOT is CHECKOUT else Path.cwd()  # where they run: settings may name files by relative paths
GUNICORN = {"GUNICORN_CMD_ARGS": f"--config {ROOT / 'gunicorn.conf.py'}"}  # which it finds by itself only in a checkout
FIRST, PAGES = "release", "web"  # the process that prepares everything and ends; the one that serves the pages
STOP_SECONDS = 10.0  # for a process to finish its work after it is asked to stop
POLL_SECONDS = 0.1  # between two checks of the processes
ENDS, WITHIN = 3, 600.0  # how often a process ends by itself in so many seconds until it is given up
PAUSE = 1.0  # seconds until it is started again
WRONG_SETTING, LONG_PAUSE = 2, 60.0  # the status that says so: the same setting is tried again, but not at once
BESIDE = 25  # from the port of the pages to that of the listener for replies
HIGHEST = 65535

SAID = "What it said stands above."
Running = dict[str, subprocess.Popen[bytes]]


class Asked:
    """Whether the service should stop: because of Ctrl-C, a signal, a closed terminal, or because make has gone."""

    def __init__(self) -> None:
        self.signal = False
        self.make = os.getppid()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # nohup makes it ignored
                signal.signal(number, self._note)

    def __bool__(self) -> bool:
        return self.signal or os.getppid() != self.make or was_interrupted(self.make)

    def _note(self, *_: Any) -> None:
        self.signal = True


def main() -> int:
    asked = Asked()
    data_folder.load(FOLDER / (os.environ.get("DATA_DIR") or "var"))
    host, port = os.environ.get("HOST") or "127.0.0.1", os.environ.get("PORT") or "8000"
    if port.isdecimal() and is_taken(host, int(port)):
        say(f"Port {port} is taken, perhaps by Hearts by Mail itself. Stop that, or set PORT to another, such as 8001.")
        return 1

    commands = read_procfile()
    first = {FIRST: commands.pop(FIRST)}
    inbox = os.environ.get("INBOX_URL") or f"smtp://127.0.0.1:{inbox_port(port)}"
    environment = {**os.environ, "INBOX_URL": inbox}
    running = start(first, environment)
    ended = wait(running, asked)
    if not asked and not ended[FIRST]:
        # The pages start before the others, which would slow them down: the user is waiting for them.
        running = start({PAGES: commands[PAGES]}, environment)
        ended = wait(running, asked, address_of(host, port))
    if not asked and not ended:
        running |= start({name: command for name, command in commands.items() if name != PAGES}, environment)
        ended = keep(running, commands, environment, asked)
    stop(running)
    return ending(ended)


def read_procfile() -> dict[str, str]:
    """By name, the command of each process."""
    lines = (line.partition(":") for line in (ROOT / "Procfile").read_text(encoding="utf-8").splitlines())
    return {name: command.strip() for name, _, command in lines if command}


def start(commands: Mapping[str, str], environment: Mapping[str, str], output: IO[bytes] | None = None) -> Running:
    """Starts a process for each command, in a session of its own, so that Ctrl-C reaches only this one.

    They write to `output`, or to this process's own output.
    """
    path = os.pathsep.join([str(Path(sys.executable).parent), environment.get("PATH", os.defpath)])
    return {
        name: subprocess.Popen(
            f"exec {command}",
            shell=True,
            cwd=FOLDER,
            env={**GUNICORN, **environment, "PATH": path},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        for name, command in commands.items()
    }


def wait(running: Running, asked: Asked, address: str | None = None) -> dict[str, int]:
    """Waits until a process has ended or the service should stop. Returns the ended processes with their status.

    With an `address` it also returns once a page is served there, and prints that.
    """
    while True:
        ended = ended_of(running)
        if ended or asked:
            return ended
        if address and answers(address):
            say(f"\n  Hearts by Mail is open at {address}\n  Ctrl-C stops it.\n")
            return {}
        time.sleep(POLL_SECONDS)


def keep(running: Running, commands: Mapping[str, str], environment: Mapping[str, str], asked: Asked) -> dict[str, int]:
    """Starts each process of `running` again that ends by itself, until the service should stop.

    One that ends ENDS times WITHIN seconds is given up. Returns those given up with their status, once none is left.
    """
    ends: dict[str, list[float]] = {name: [] for name in running}
    due: dict[str, float] = {}  # when to start a process again
    given_up: dict[str, int] = {}
    while not asked and (running or due):
        now = time.monotonic()
        for name, status in ended_of(running).items():
            kill(running.pop(name))
            ends[name] = [*(at for at in ends[name] if now - at < WITHIN), now]
            if len(ends[name]) == ENDS:
                given_up[name] = status
                say(f"{name} has ended by itself {ENDS} times (status {status}) and stays down. {SAID}")
                if others := sorted({*running, *due}):
                    say(f"The others go on: {', '.join(others)}.")
            else:
                pause = LONG_PAUSE if status == WRONG_SETTING else PAUSE
                due[name] = now + pause
                say(f"{name} has ended by itself (status {status}). {SAID} It starts again in {pause:.0f} s.")
        for name in [one for one, at in due.items() if at <= now]:
            del due[name]
            running |= start({name: commands[name]}, environment)
        time.sleep(POLL_SECONDS)
    return {} if asked else given_up


def ended_of(running: Running) -> dict[str, int]:
    """The processes that have ended, with their status."""
    return {name: status for name, process in running.items() if (status := process.poll()) is not None}


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kills a process, if it has not ended, together with its child processes."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    process.wait()


def stop(running: Running) -> None:
    """Asks every process to stop, waits for STOP_SECONDS, and then kills it together with its child processes."""
    for process in running.values():
        if process.poll() is None:
            process.terminate()
    deadline = time.monotonic() + STOP_SECONDS
    while time.monotonic() < deadline and any(process.poll() is None for process in running.values()):
        time.sleep(POLL_SECONDS)
    for process in running.values():
        kill(process)


def ending(ended: dict[str, int]) -> int:
    """Prints why the service ends, and returns the exit status: 0 if the user stopped it."""
    for name, status in ended.items():
        if status or name != FIRST:
            say(f"{name} has ended by itself (status {status}), so everything was stopped. {SAID}")
            return status or 1
    say("Hearts by Mail has stopped. When it runs again, it goes on where it was.")
    return 0


def inbox_port(port: str) -> int:
    """The port for replies: 8025 for 8000, and so on, so that two services do not collide; else any free one."""
    beside = int(port) + BESIDE if port.isdecimal() else HIGHEST + 1
    if beside <= HIGHEST and not is_taken("127.0.0.1", beside):
        return beside
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        found: int = probe.getsockname()[1]
        return found


def address_of(host: str, port: str) -> str:
    """The URL of the pages on this machine, whichever of its addresses they are served on."""
    match host:
        case "0.0.0.0":
            host = "127.0.0.1"
        case "::":
            host = "[::1]"
        case _ if ":" in host:
            host = f"[{host}]"
    return f"http://{host}:{port}"


def is_taken(host: str, port: int) -> bool:
    """Whether a process listens there; a port that was closed a moment ago counts as free."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return True
    return False


def answers(address: str) -> bool:
    connection = HTTPConnection(address.removeprefix("http://"), timeout=5)
    try:
        connection.request("HEAD", "/")
        connection.getresponse()
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
    return True


def was_interrupted(make: int) -> bool:
    """Whether process `make` is a make that has received an interrupt; False if the system does not reveal that.

    Such a make resets its handler for the signal and then waits for its recipe, without passing the signal on.
    """
    try:
        status = Path(f"/proc/{make}/status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    handled = int(fields.get("SigCgt", "0"), 16) | int(fields.get("SigIgn", "0"), 16)
    return fields.get("Name") == "make" and not handled >> (signal.SIGINT - 1) & 1


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
