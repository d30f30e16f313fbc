"""What the processes say on standard error: our own news, and of the libraries only what is wrong.

No line holds an address of a page, a token, a card or a mail address.
"""

import logging
import re


def start_log() -> None:
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    for ours in ("webapp", "worker"):
        logging.getLogger(ours).setLevel(logging.INFO)


def hide_paths(record: logging.LogRecord) -> bool:
    """A filter for the loggers of web servers: what they say of requests quotes no path."""
    record.msg, record.args = re.sub(r"/[^\s'\"]+", "/...", record.getMessage()), ()
    return True
