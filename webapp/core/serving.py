"""How the pages are served: gunicorn starts the processes and watches them, waitress reads and writes within each.

A request is read whole before a thread has it, and what a client has not read yet of an answer is kept for it; so a
slow client costs a connection and never a thread. Source: RFC 9112 (HTTP/1.1), 9.3 and 9.5.
"""

import logging
import os
import resource
import time
from typing import Any

from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from webapp.core.log import hide_paths

LARGEST_HEAD = 32 * 1024  # bytes of a request line and its headers
LARGEST_BODY = 128 * 1024  # twice what a form may have, so that one that is a little too large gets a page of ours
CONNECTIONS = 1000  # of one process, behind which somebody else's has to go
OTHER_FILES = 100  # that a process may have open beside them
# Seconds that a client has for each, counted anew after each answer.
TO_ASK = 75  # for its next request: longer than proxies keep an unused connection, lest they use one that we close
TO_SEND = 20  # a request, from its first byte to its last
TO_READ = 60  # an answer, once the page is made
GLANCE = 1.0  # seconds between two looks at whose time is over
# Seconds that clients have for each once the process is to end.
TO_ASK_AT_THE_END = 1.0  # what is on its way already
TO_READ_AT_THE_END = 5.0


class Channel(HTTPChannel):  # type: ignore[misc]  # the library has no types
    """A connection, and what we wait for on it. Its answers are made one at a time, as its client reads them."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self._answers = 0
        self._phase: tuple[int, bool, bool] | None = None
        self._since = time.time()
        self.is_behind = False  # it has asked again, but not read what it got
        super().__init__(*arguments, **named)

    def service(self) -> None:
        self._answers += 1
        if self.server.is_ending:
            self.requests[0].headers["CONNECTION"] = "close"  # so that waitress tells the client, and does it
        super().service()

    def writable(self) -> bool:
        return bool(super().writable() or self.is_behind)

    def handle_write(self) -> None:
        super().handle_write()
        if self.is_behind and not self.total_outbufs_len:
            self.is_behind = False
            self.server.task_dispatcher.add_task(self)

    def ends_at(self, now: float) -> float:
        """When its client's time is over, as of a look at it now; never while its request waits for one of us."""
        phase = (self._answers, self.request is not None, self.total_outbufs_len > 0)
        if phase != self._phase:
            self._phase, self._since = phase, now
        if self.is_being_answered:
            return float("inf")
        _, is_sending, is_reading = phase
        return self._since + (TO_READ if is_reading else TO_SEND if is_sending else TO_ASK)

    @property
    def is_being_answered(self) -> bool:
        return bool(self.requests) and not self.is_behind

    def holds_up_the_end(self, seconds: float) -> bool:
        """Whether the process must not end yet, so many seconds after it was told to."""
        if self.is_being_answered:
            return True
        return seconds < (TO_READ_AT_THE_END if self.total_outbufs_len else TO_ASK_AT_THE_END)


class Server(TcpWSGIServer):  # type: ignore[misc]  # the library has no types
    """A listener and its connections. When these are too many, the one whose time is over first has to go."""

    channel_class = Channel
    is_ending = False
    most = CONNECTIONS

    def handle_accept(self) -> None:
        if len(self.active_channels) >= self.most:
            self._make_room(time.time())
        super().handle_accept()

    def _make_room(self, now: float) -> None:
        ends = {channel: channel.ends_at(now) for channel in self.active_channels.values()}
        first = min(ends, key=ends.__getitem__)
        if ends[first] < float("inf"):
            first.handle_close()

    def add_task(self, channel: Channel) -> None:
        if channel.total_outbufs_len:
            channel.is_behind = True
        else:
            super().add_task(channel)

    def maintenance(self, now: float) -> None:
        for channel in list(self.active_channels.values()):
            if channel.ends_at(now) <= now:
                channel.handle_close()

    def end(self) -> None:
        """Takes no more connections, and lets those that are open finish what they are at."""
        self.is_ending = True
        wasyncore.dispatcher.close(self)  # what overrides it would also take the threads' way to wake us


class BufferingWorker(Worker):  # type: ignore[misc]  # the library has no types
    """A process that serves pages; gunicorn's `worker_class`. It listens where gunicorn says, with as many threads."""

    servers: tuple[Server, ...] = ()

    def run(self) -> None:
        """Serves until the process is told to stop, and then until running requests are answered."""
        Server.most = allow_open_files(CONNECTIONS + OTHER_FILES) - OTHER_FILES
        logging.getLogger("waitress").addFilter(hide_paths)
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # that some requests wait is no news
        channels: dict[int, Any] = {}
        self.servers = self._listen(channels)
        while self.alive and self.ppid == os.getppid():
            self._turn(channels)
        self._finish(channels)

    def handle_exit(self, number: int, frame: Any) -> None:
        super().handle_exit(number, frame)
        for server in self.servers:
            server.pull_trigger()

    def _listen(self, channels: dict[int, Any]) -> tuple[Server, ...]:
        adjustments = Adjustments(
            asyncore_use_poll=True,
            backlog=self.cfg.backlog,
            cleanup_interval=GLANCE,
            clear_untrusted_proxy_headers=False,  # the site reads them, as TRUSTED_PROXIES says
            connection_limit=2 * CONNECTIONS,  # we make room before
            ident=None,
            log_socket_errors=False,
            max_request_body_size=LARGEST_BODY,
            max_request_header_size=LARGEST_HEAD,
        )
        threads = ThreadedTaskDispatcher()
        threads.set_thread_count(self.cfg.threads)
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

    def _turn(self, channels: dict[int, Any]) -> None:
        """Reads and writes what can be, once there is any; at most a glance later it is over."""
        self.notify()
        wasyncore.poll2(GLANCE, channels)

    def _finish(self, channels: dict[int, Any]) -> None:
        for server in self.servers:
            server.end()
        told_at = time.monotonic()
        while (seconds := time.monotonic() - told_at) < self.cfg.graceful_timeout and any(
            channel.holds_up_the_end(seconds) for server in self.servers for channel in server.active_channels.values()
        ):
            self._turn(channels)


def allow_open_files(number: int) -> int:
    """Lets this process have so many files open at once, or as many as the system allows. Returns how many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= number:
        return number
    most = number if hard == resource.RLIM_INFINITY else min(number, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most
