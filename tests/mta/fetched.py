"""Processes that read a mailbox, and what they have stored and noted."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import text

from tests.answers import inbound_rows
from tests.servers import wait_until
from webapp.core.runtime import Runtime
from worker.fetching import Fetcher


@contextmanager
def fetching_from(*runtimes: Runtime) -> Iterator[None]:
    """A process for each runtime reads the mailbox."""
    stop = threading.Event()
    threads = [threading.Thread(target=fetch, args=(runtime, stop)) for runtime in runtimes]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def fetch(runtime: Runtime, stop: threading.Event) -> None:
    assert runtime.settings.mailbox is not None
    Fetcher(runtime, runtime.settings.mailbox, stop).run()


def stored(runtime: Runtime, count: int) -> None:
    """Waits until so many mails are stored, and no more."""
    wait_until(f"{count} mails are stored", lambda: len(inbound_rows(runtime)) >= count)
    assert len(inbound_rows(runtime)) == count


def last_uid(runtime: Runtime) -> int:
    """The last mail of the mailbox that needs no more reading."""
    with runtime.database.reading() as session:
        return session.connection().execute(text("SELECT max(last_uid) FROM mailbox")).scalar() or 0
