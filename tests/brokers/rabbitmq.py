"""The test's own RabbitMQ: data, log and names of nodes in one folder, on unprivileged ports of the loopback."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.servers import free_port, wait_until

# Debian's command on the PATH changes to a user of its own, which could not write to the folder.
SERVER = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
PLUGINS = "[]."  # none; in Erlang


def why_not() -> str | None:
    """Why RabbitMQ cannot be started here; None if it can."""
    if SERVER.exists() and shutil.which("epmd"):
        return None
    return "RabbitMQ is not installed (Debian, Ubuntu: apt install rabbitmq-server; its service need not run)."


class RabbitMQ:
    """A server that may be killed, frozen, and started again at the same address with the data it had."""

    def __init__(self, folder: Path) -> None:
        self.port, self._names_port = free_port(), free_port()
        self._folder = folder
        (folder / "plugins").write_text(PLUGINS)
        self._environment = {
            **{name: os.environ[name] for name in ("PATH", "TMPDIR", "LANG") if name in os.environ},
            "HOME": str(folder),  # where Erlang keeps its cookie
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "ERL_EPMD_PORT": str(self._names_port),
            "RABBITMQ_CONF_ENV_FILE": os.devnull,
            "RABBITMQ_CONFIG_FILE": str(folder / "none"),
            "RABBITMQ_DIST_PORT": str(free_port()),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
            "RABBITMQ_LOG_BASE": str(folder / "log"),
            "RABBITMQ_MNESIA_BASE": str(folder / "data"),
            "RABBITMQ_NODENAME": "hearts@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(self.port),
        }
        self._names = self._run("epmd", "-port", str(self._names_port), "-address", "127.0.0.1")
        self._server: subprocess.Popen[bytes] | None = None

    def url(self, password: str = "guest") -> str:
        return f"amqp://guest:{password}@127.0.0.1:{self.port}//"

    def start(self) -> None:
        self._server = server = self._run(str(SERVER))
        wait_until("RabbitMQ answers", lambda: server.poll() is not None or _answers(self.port))
        assert server.poll() is None, (self._folder / "said").read_text(errors="replace")[-4000:]

    def kill(self) -> None:
        """Ends the server at once, as when its machine dies."""
        if self._server:
            self._send(signal.SIGKILL)
            self._server.wait()

    def freeze(self) -> None:
        self._send(signal.SIGSTOP)

    def thaw(self) -> None:
        self._send(signal.SIGCONT)

    def end(self) -> None:
        self.kill()
        self._names.kill()
        self._names.wait()

    def _run(self, *command: str) -> subprocess.Popen[bytes]:
        with (self._folder / "said").open("ab") as said:
            return subprocess.Popen(
                command, env=self._environment, stdout=said, stderr=said, start_new_session=True, cwd=self._folder
            )

    def _send(self, number: int) -> None:
        """Signals the server's whole session, as a script starts it."""
        assert self._server
        with suppress(ProcessLookupError):
            os.killpg(self._server.pid, number)


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 5) as line:
            line.sendall(b"AMQP\x00\x00\x09\x01")
            return bool(line.recv(1))
    except OSError:
        return False


@contextmanager
def running_rabbitmq() -> Iterator[RabbitMQ]:
    """A running server; it has ended afterwards, and left no file."""
    folder = Path(tempfile.mkdtemp(prefix="hearts-rabbitmq-"))
    server = RabbitMQ(folder)
    try:
        server.start()
        yield server
    finally:
        server.end()
        shutil.rmtree(folder)
