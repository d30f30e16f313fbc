"""The web server: gunicorn starts and watches the processes, and within each of them waitress reads and writes.

Waitress buffers a request before it gives it to a thread, and a response until the client has read it. So a slow client
occupies a connection but never a thread. Source: RFC 9112 (HTTP/1.1), 9.3 and 9.5.
"""

import logging
import os
import resource
import select
import time
from typing import Any

from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer

from webapp.core.log import hide_paths
from webapp.core.threads import Threads, every

MAX_HEAD_BYTES = 32 * 1024  # of a request line with its headers
MAX_BODY_BYTES = 128 * 1024  # twice the limit of a form: one slightly too large gets our own error page
MAX_CONNECTIONS = 1000  # in one process; beyond it, an old connection is closed for a new one
OTHER_FILES = 100  # that a process may have open besides its connections
# Timeouts for a client; each starts again after every response.
IDLE_SECONDS = 75  # until its next request; proxies close idle connections sooner, so they never reuse a closed one
REQUEST_SECONDS = 20  # from the first byte of a request to its last
RESPONSE_SECONDS = 60  # to read a response, once the page is made
POLL_SECONDS = 1.0  # how often timeouts are checked
# The same for clients of a process that is shutting down.
SHUTDOWN_IDLE_SECONDS = 1.0  # for requests that are already on their way
SHUTDOWN_RESPONSE_SECONDS = 5.0


class Channel(HTTPChannel):  # type: ignore[misc]  # the library has no types
    """A connection with its timeout. It makes the next response only when the client has read the one before."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self._answers = 0
        self._phase: tuple[int, bool, bool] | None = None
        self._since = time.time()
        self.is_unread = False  # the client has sent another request, but not read the response before
        super().__init__(*arguments, **named)

    def service(self) -> None:
        self._answers += 1
        if self.server.is_shutting_down:
            self.requests[0].headers["CONNECTION"] = "close"  # waitress passes it on to the client and obeys it itself
        super().service()

    def writable(self) -> bool:
        """Whether the loop must write. While a thread answers, the thread writes.

        If the loop wrote, too, it would find the thread's lock taken, try again at once, and so keep Python's own lock
        from the thread for five milliseconds.
        """
        if self.is_being_answered and self.total_outbufs_len <= self.adj.outbuf_high_watermark:
            return False
        return bool(super().writable() or self.is_unread)

    def handle_write(self) -> None:
        super().handle_write()
        if self.is_unread and not self.total_outbufs_len:
            self.is_unread = False
            self.server.task_dispatcher.add_task(self)

    def times_out_at(self, now: float) -> float:
        """When to close the connection, in seconds since the epoch; infinity while we work on its request."""
        phase = (self._answers, self.request is not None, self.total_outbufs_len > 0)
        if phase != self._phase:
            self._phase, self._since = phase, now
        if self.is_being_answered:
            return float("inf")
        _, is_sending, is_reading = phase
        return self._since + (RESPONSE_SECONDS if is_reading else REQUEST_SECONDS if is_sending else IDLE_SECONDS)

    @property
    def is_being_answered(self) -> bool:
        return bool(self.requests) and not self.is_unread

    def delays_shutdown(self, seconds: float) -> bool:
        """Whether the process has to wait for this connection, `seconds` after it was asked to stop."""
        if self.is_being_answered:
            return True
        return seconds < (SHUTDOWN_RESPONSE_SECONDS if self.total_outbufs_len else SHUTDOWN_IDLE_SECONDS)


class Server(TcpWSGIServer):  # type: ignore[misc]  # the library has no types
    """A listener and its connections. At the limit, a new one displaces the one that would time out first."""

    channel_class = Channel
    is_shutting_down = False
    max_connections = MAX_CONNECTIONS

    def handle_accept(self) -> None:
        if len(self.active_channels) >= self.max_connections:
            self._make_room(time.time())
        super().handle_accept()

    def _make_room(self, now: float) -> None:
        ends = {channel: channel.times_out_at(now) for channel in self.active_channels.values()}
        first = min(ends, key=ends.__getitem__)
        if ends[first] < float("inf"):
            first.handle_close()

    def add_task(self, channel: Channel) -> None:
        if channel.total_outbufs_len:
            channel.is_unread = True
        else:
            super().add_task(channel)

    def maintenance(self, now: float) -> None:
        for channel in list(self.active_channels.values()):
            if channel.times_out_at(now) <= now:
                channel.handle_close()

    def shut_down(self) -> None:
        """Stops accepting connections, and lets the open ones finish their requests.

        First it accepts those that the kernel has accepted for it: closing the last listener would reset them.
        """
        self.is_shutting_down = True
        waiting = select.poll()
        waiting.register(self.socket, select.POLLIN)
        for _ in range(self.adj.backlog):
            if not waiting.poll(0):
                break
            self.handle_accept()
        wasyncore.dispatcher.close(self)  # the override would also close the trigger by which threads wake the loop


def asks_for_page(channel: Channel) -> bool:
    """Whether the next request of a connection changes nothing."""
    return any(getattr(request, "command", None) in ("GET", "HEAD") for request in channel.requests[:1])


class BufferingWorker(Worker):  # type: ignore[misc]  # the library has no types
    """A process that serves pages: gunicorn's `worker_class`, with gunicorn's listeners and number of threads."""

    servers: tuple[Server, ...] = ()
    at_once: int | None = None  # how many pages are made at the same time; None for as many as there are threads
    limits_turns = False  # whether what a form sends counts as a page

    def run(self) -> None:
        """Serves until the process is asked to stop, and then finishes the running requests."""
        Server.max_connections = allow_open_files(MAX_CONNECTIONS + OTHER_FILES) - OTHER_FILES
        logging.getLogger("waitress").addFilter(hide_paths)
        channels: dict[int, Any] = {}
        self.servers = self._listen(channels)
        while self.alive and self.ppid == os.getppid():
            self._poll(channels)
        self._finish(channels)

    def handle_exit(self, number: int, frame: Any) -> None:
        super().handle_exit(number, frame)
        for server in self.servers:
            server.pull_trigger()

    def _listen(self, channels: dict[int, Any]) -> tuple[Server, ...]:
        adjustments = Adjustments(
            asyncore_use_poll=True,
            backlog=self.cfg.backlog,
            cleanup_interval=POLL_SECONDS,
            clear_untrusted_proxy_headers=False,  # the site reads them, according to TRUSTED_PROXIES
            connection_limit=2 * MAX_CONNECTIONS,  # never reached: we make room before
            ident=None,
            log_socket_errors=False,
            max_request_body_size=MAX_BODY_BYTES,
            max_request_header_size=MAX_HEAD_BYTES,
        )
        only_computes = every if self.limits_turns else asks_for_page
        threads = Threads(self.cfg.threads, self.at_once or self.cfg.threads, only_computes)
        return tuple(
            Server(
                self.wsgi,
                channels,
                _sock=listener.sock,
                dispatcher=threads,
                adj=adjustments,
                sockinfo=(listener.sock.family, listener.sock.type, listener.sock.proto, listener.sock.getsockname()),
                bind_socket=False,
            )
            for listener in self.sockets
        )

    def _poll(self, channels: dict[int, Any]) -> None:
        """Waits up to POLL_SECONDS for connections that can be read or written, and serves them."""
        self.notify()
        wasyncore.poll2(POLL_SECONDS, channels)

    def _finish(self, channels: dict[int, Any]) -> None:
        for server in self.servers:
            server.shut_down()
        stopped_at = time.monotonic()
        while (seconds := time.monotonic() - stopped_at) < self.cfg.graceful_timeout and any(
            channel.delays_shutdown(seconds) for server in self.servers for channel in server.active_channels.values()
        ):
            self._poll(channels)


def allow_open_files(number: int) -> int:
    """Raises this process's limit of open files to `number`, or as far as the system allows. Returns the limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= number:
        return number
    most = number if hard == resource.RLIM_INFINITY else min(number, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most
