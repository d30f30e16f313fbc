"""Logging on standard error: our own messages from INFO up, those of the libraries from WARNING up.

No line contains the path of a page, a token, a card or a mail address. `Outage` reports a service that is unavailable
once a minute instead of once per attempt.
"""

import logging
import re
import time
from threading import Lock

REPORT_EVERY = 60.0  # seconds


class Outage:
    """Logs at most once a minute that a service does not answer, and once that it answers again.

    `what` begins the line, `meanwhile` ends it. Threads may share an instance.
    """

    def __init__(self, log: logging.Logger, what: str, meanwhile: str) -> None:
        self._log, self._what, self._meanwhile = log, what, meanwhile
        self._lock = Lock()
        self._said_at: float | None = None
        self._is_down = False  # according to the log so far

    def note_failure(self, reason: str) -> None:
        """Call this after a failed attempt. `reason` must contain no address and no secret."""
        with self._lock:
            now = time.monotonic()
            if self._said_at is not None and now - self._said_at < REPORT_EVERY:
                return
            self._said_at, self._is_down = now, True
        self._log.error("%s does not answer (%s); %s", self._what, reason, self._meanwhile)

    def note_success(self) -> None:
        """Call this after a successful attempt; it is free unless the service was down."""
        if not self._is_down:
            return
        with self._lock:
            was_down, self._is_down = self._is_down, False
        if was_down:
            self._log.warning("%s answers again", self._what)


def start_log() -> None:
    """Sets this process's logging up. It silences the libraries' reports of outages, which `Outage` makes already."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    for ours in ("webapp", "worker"):
        logging.getLogger(ours).setLevel(logging.INFO)
    for library in ("sqlalchemy.pool", "psycopg"):
        logging.getLogger(library).setLevel(logging.CRITICAL)


def hide_paths(record: logging.LogRecord) -> bool:
    """A filter for the web servers' loggers: it removes paths, which hold tokens, from their messages."""
    record.msg, record.args = re.sub(r"/[^\s'\"]+", "/...", record.getMessage()), ()
    return True
