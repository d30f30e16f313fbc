"""The embedded broker: Kombu's filesystem transport, made safe for processes that start and poll concurrently.

Kombu creates a file and fills it afterwards. In between, a polling worker would crash on an empty message, and a
starting process on an empty table of queues. All files are closed to other users of the machine. `_put` and
`_queue_bind` are methods that Kombu's manual has a virtual transport define.
"""

import fcntl
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

from kombu.transport import filesystem
from kombu.utils.json import dumps

from webapp.core.data_folder import FILE_MODE, opener

ONE_WAIT = 0.3  # seconds


class Channel(filesystem.Channel):
    """Messages appear complete, and one process at a time reads or changes the table of queues."""

    def _put(self, queue: Any, payload: Any, **_: Any) -> None:  # type: ignore[override]  # the parent does, too
        folder = Path(self.data_folder_out)
        name = f"{round(monotonic() * 1000)}_{uuid.uuid4()}"
        part = folder / f"{name}.part"  # workers look for names that end in .msg
        with open(part, "xb", opener=opener) as file:
            file.write(dumps(payload).encode())  # type: ignore[no-untyped-call]
        part.replace(folder / f"{name}.{queue}.msg")

    def get_table(self, exchange: str) -> Any:
        with self._exclusively():
            return super().get_table(exchange)  # type: ignore[no-untyped-call]

    def _queue_bind(self, exchange: str, *binding: Any) -> None:
        with self._exclusively():
            super()._queue_bind(exchange, *binding)  # type: ignore[no-untyped-call]
            (self.control_folder / f"{exchange}.exchange").chmod(FILE_MODE)

    @contextmanager
    def _exclusively(self) -> Iterator[None]:
        with open(self.control_folder / "lock", "w", opener=opener) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


class Transport(filesystem.Transport):
    """A worker waits for a message a little while at a time: only in between does it see that it is to stop."""

    Channel = Channel

    def drain_events(self, connection: Any, timeout: float | None = None) -> None:  # type: ignore[override]
        wait = None if timeout is None else min(timeout, ONE_WAIT)
        super().drain_events(connection, timeout=wait)  # type: ignore[no-untyped-call]
