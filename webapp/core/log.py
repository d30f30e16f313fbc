"""What the processes say on standard error: our own news, and of the libraries only what is wrong.

No line holds an address of a page, a token, a card or a mail address. What is unavailable for a while is said by
`Outage`: a line a minute, and not one for every attempt.
"""

import logging
import re
import time
from threading import Lock

SAY_EVERY = 60.0  # seconds


class Outage:
    """Says that something does not answer, at most once a minute, and once that it answers again.

    `what` begins the line, `meanwhile` ends it. Threads may share it.
    """

    def __init__(self, log: logging.Logger, what: str, meanwhile: str) -> None:
        self._log, self._what, self._meanwhile = log, what, meanwhile
        self._lock = Lock()
        self._said_at: float | None = None
        self._is_down = False  # as far as the log tells

    def note_failure(self, reason: str) -> None:
        """An attempt has failed. `reason` names no address and no secret."""
        with self._lock:
            now = time.monotonic()
            if self._said_at is not None and now - self._said_at < SAY_EVERY:
                return
            self._said_at, self._is_down = now, True
        self._log.error("%s does not answer (%s); %s", self._what, reason, self._meanwhile)

    def note_success(self) -> None:
        """An attempt has not failed; this costs nothing where none has before."""
        if not self._is_down:
            return
        with self._lock:
            was_down, self._is_down = self._is_down, False
        if was_down:
            self._log.warning("%s answers again", self._what)


def start_log() -> None:
    """Has the process log as all of ours do. What the libraries say of an outage of theirs, `Outage` says already."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    for ours in ("webapp", "worker"):
        logging.getLogger(ours).setLevel(logging.INFO)
    for library in ("sqlalchemy.pool", "psycopg"):
        logging.getLogger(library).setLevel(logging.CRITICAL)


def hide_paths(record: logging.LogRecord) -> bool:
    """A filter for the loggers of web servers: what they say of requests quotes no path."""
    record.msg, record.args = re.sub(r"/[^\s'\"]+", "/...", record.getMessage()), ()
    return True
