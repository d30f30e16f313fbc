"""Lines of the log as a format makes them, and the events that are logged."""

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from webapp.core.log import LogFormat, formatter


def line(kind: LogFormat, message: str, *args: object, failed: bool = False, **extra: object) -> str:
    """Returns a record as a line in that format."""
    record = logging.LogRecord("webapp.games", logging.INFO, "", 1, message, args, sys.exc_info() if failed else None)
    record.__dict__.update(extra)
    return formatter(kind).format(record)


@contextmanager
def logged_events() -> Iterator[list[dict[str, Any]]]:
    """Collects the structured lines that are logged meanwhile, as mappings."""
    log = logging.getLogger("webapp.events")
    log.setLevel(logging.INFO)
    made, to_json = [], formatter(LogFormat.JSON)
    handler = logging.Handler()
    handler.emit = lambda record: made.append(json.loads(to_json.format(record)))
    log.addHandler(handler)
    yield made
    log.removeHandler(handler)
    log.setLevel(logging.NOTSET)
