"""Clients that keep a web server waiting: silent ones, and those that write or read next to nothing.

A crowd keeps its size: a connection that the server drops is opened again at the next tick.
"""

import socket
import threading
from contextlib import AbstractContextManager
from types import TracebackType
from typing import NamedTuple, Self

TICK = 1.0  # seconds between two bytes of each client
SMALL_WINDOW = 4096  # bytes that the kernel buffers for a client that does not read
SMALL_SEGMENT = 536  # bytes of a packet, as on a poor line; with the loopback's own size the kernel buffers megabytes
PIPELINED = 5  # requests sent at once: their responses exceed the kernel's buffer


class Kind(NamedTuple):
    """A kind of client: its first bytes, those that it adds one by one, and whether it reads the answer."""

    first: bytes = b""
    drips: bytes = b""
    reads: bool = True


KINDS = {
    "silent": Kind(),
    "dripping head": Kind(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", b"a"),
    "dripping body": Kind(
        b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\n"
        b"Content-Length: 5000\r\n\r\naddress=",
        b"a",
    ),
    "slow reader": Kind(b"GET /static/style.css HTTP/1.1\r\nHost: localhost\r\n\r\n" * PIPELINED, reads=False),
}


class SlowCrowd(AbstractContextManager["SlowCrowd"]):
    """`number` clients of one kind at a port of the loopback, in their own thread while entered."""

    def __init__(self, port: int, kind: Kind, number: int) -> None:
        self._at, self._kind, self._number = ("127.0.0.1", port), kind, number
        self._clients: list[socket.socket] = []
        self._over = threading.Event()
        self.given_up = 0  # connections that the server has ended

    def __enter__(self) -> Self:
        self._fill_up()
        self._thread = threading.Thread(target=self._go_on)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()
        for client in self._clients:
            client.close()

    def __len__(self) -> int:
        """How many are connected now."""
        return len(self._clients)

    def _go_on(self) -> None:
        while not self._over.wait(TICK):
            left = [client for client in self._clients if self._is_there(client)]
            self.given_up += len(self._clients) - len(left)
            self._clients = left
            self._fill_up()

    def _fill_up(self) -> None:
        """Opens the missing connections. A server that accepts no more is tried again at the next tick."""
        while len(self._clients) < self._number and not self._over.is_set():
            client = slow_socket()
            client.settimeout(TICK)
            try:
                client.connect(self._at)
                client.setblocking(False)
                client.send(self._kind.first)
            except OSError:
                client.close()
                return
            self._clients.append(client)

    def _is_there(self, client: socket.socket) -> bool:
        """Sends one byte more, or reads one; closes the client where the server has ended the connection."""
        try:
            if self._kind.drips:
                client.send(self._kind.drips)
            if client.recv(65536 if self._kind.reads else 1):
                return True
        except BlockingIOError:
            return True
        except OSError:
            pass
        client.close()
        return False


def slow_socket() -> socket.socket:
    """A socket, not yet connected, that makes the other side buffer nearly all that it does not read."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_WINDOW)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, SMALL_SEGMENT)
    return client
