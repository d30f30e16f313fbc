"""A WSGI application for tests of the web server: one of its pages waits, another one fails."""

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

LONGEST = 60  # seconds


def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Says ok: at /wait/NAME once there is a file NAME in DATA_DIR, after making NAME.begun there; fails at /fail."""
    _, asked, name = f"{environ['PATH_INFO']}/".split("/", 2)
    if asked == "wait":
        file = Path(os.environ["DATA_DIR"]) / name.strip("/")
        file.with_suffix(".begun").touch()
        until = time.monotonic() + LONGEST
        while not file.exists() and time.monotonic() < until:
            time.sleep(0.05)
    if asked == "fail":
        raise RuntimeError("as it was asked to")
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "2")])
    return [] if environ["REQUEST_METHOD"] == "HEAD" else [b"ok"]
