"""Logging on standard error: our own messages from INFO up, those of the libraries from WARNING up.

No line contains the path of a page, a token, a card or a mail address; any that a library's message contains is
replaced. In the formats "logfmt" and "json" each event is one line, with the numbers of the request, game or letter
that it is about (`about`), and more is logged: each page, turn and letter (`note`). `Outage` reports a service that is
unavailable once a minute instead of once per attempt.
"""

import json
import logging
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar, Token
from datetime import UTC, datetime
from enum import StrEnum
from threading import Lock

REPORT_EVERY = 60.0  # seconds
_HIDDEN = (
    (re.compile(r"(https?://[^/\s'\"]+)/[^\s'\"]+"), r"\1/..."),  # also the push addresses of devices
    (re.compile(r"\.?[\w-]{8,}\.[\w-]{5,8}\.[\w-]{20,}"), "..."),  # signed links
    (re.compile(r"[^\s@<>\"'(),;:=/]+@[\w-]+(?:\.[\w-]+)+"), "(an address)"),
)
_events = logging.getLogger("webapp.events")
_about: ContextVar[Mapping[str, object]] = ContextVar("about", default={})  # noqa: B039  never changed in place


class LogFormat(StrEnum):
    PLAIN = "plain"  # a level and a sentence
    LOGFMT = "logfmt"
    JSON = "json"


def begin_about(**numbers: int | str) -> Token[Mapping[str, object]]:
    """Adds these fields to every line that this thread logs from now on, until `end_about` gets the token back."""
    return _about.set({**_about.get(), **numbers})


def end_about(token: Token[Mapping[str, object]]) -> None:
    _about.reset(token)


@contextmanager
def about(**numbers: int | str) -> Iterator[None]:
    """A context in which every line that this thread logs has these fields: the number of a game, a letter."""
    token = begin_about(**numbers)
    try:
        yield
    finally:
        end_about(token)


def log_event(event: str, **fields: int | float | str) -> None:
    """Logs an event that is worth a line in the structured formats only. No field may hold a secret or a card."""
    _events.info(event, extra={"fields": fields})


class _Formatter(logging.Formatter):
    """A sentence in one or, with a traceback, several lines, without what no log may hold."""

    def format(self, record: logging.LogRecord) -> str:
        return hidden(super().format(record))


class _Structured(_Formatter):
    """One line for each event, with its fields."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fields: dict[str, object] = {"at": at, "level": record.levelname.lower(), "log": record.name}
        fields |= {"event": hidden(record.getMessage()), **_about.get(), **getattr(record, "fields", {})}
        if record.exc_info:
            fields["trace"] = hidden(self.formatException(record.exc_info))
        return self.line(fields)

    def line(self, fields: Mapping[str, object]) -> str:
        parts = []
        for name, value in fields.items():
            text = str(value)
            is_word = re.fullmatch(r"[^\s\"=\\]+", text) and text.isprintable()  # else quoted like a string of JSON
            parts.append(f"{name}={text if is_word else json.dumps(text)}")
        return " ".join(parts)


class _Json(_Structured):
    def line(self, fields: Mapping[str, object]) -> str:
        return json.dumps(fields)


def formatter(kind: LogFormat) -> logging.Formatter:
    """Returns the formatter that writes log records in that format."""
    match kind:
        case LogFormat.PLAIN:
            return _Formatter("%(levelname)s %(name)s: %(message)s")
        case LogFormat.LOGFMT:
            return _Structured()
        case LogFormat.JSON:
            return _Json()


def hidden(text: str) -> str:
    """The text without mail addresses, tokens and paths of URLs."""
    for pattern, instead in _HIDDEN:
        text = pattern.sub(instead, text)
    return text


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


def start_log(kind: LogFormat) -> None:
    """Sets this process's logging up. It silences the libraries' reports of outages, which `Outage` makes already."""
    handler = logging.StreamHandler()
    handler.setFormatter(formatter(kind))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    for ours in ("webapp", "worker"):
        logging.getLogger(ours).setLevel(logging.INFO)
    _events.setLevel(logging.WARNING if kind is LogFormat.PLAIN else logging.INFO)
    for library in ("sqlalchemy.pool", "psycopg"):
        logging.getLogger(library).setLevel(logging.CRITICAL)
    logging.getLogger("celery.worker.request").addFilter(without_traceback_of_broker)


def without_traceback_of_broker(record: logging.LogRecord) -> bool:
    """A filter for the logger of Celery's tasks: if the broker cannot be told that one ended, a line says so."""
    if str(record.msg).startswith(("Couldn't ack", "Couldn't reject")):
        record.exc_info = None
    return True


def hide_paths(record: logging.LogRecord) -> bool:
    """A filter for the web servers' loggers: it removes paths, which hold tokens, from their messages."""
    record.msg, record.args = re.sub(r"/[^\s'\"]+", "/...", record.getMessage()), ()
    return True
