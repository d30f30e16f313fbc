"""The embedded broker: the library's folder of messages, made safe for processes that start and poll at once.

The library creates a file and fills it afterwards. A worker that polls in between dies of an empty message, and a
process that starts in between of an empty table of queues. Other users of the machine may not read any of it.
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


class Channel(filesystem.Channel):
    """Messages that appear whole, and a table of queues that one process at a time reads or changes."""

    def _put(self, queue: Any, payload: Any, **_: Any) -> None:  # type: ignore[override]  # as its parent does
        folder = Path(self.data_folder_out)
        name = f"{round(monotonic() * 1000)}_{uuid.uuid4()}"
        part = folder / f"{name}.part"  # an ending that nobody looks for
        with open(part, "xb", opener=opener) as file:
            file.write(dumps(payload).encode())  # type: ignore[no-untyped-call]
        part.replace(folder / f"{name}.{queue}.msg")

    def get_table(self, exchange: str) -> Any:
        with self._alone():
            return super().get_table(exchange)  # type: ignore[no-untyped-call]

    def _queue_bind(self, exchange: str, *binding: Any) -> None:
        with self._alone():
            super()._queue_bind(exchange, *binding)  # type: ignore[no-untyped-call]
            self._exchange_file(exchange).chmod(FILE_MODE)  # type: ignore[no-untyped-call]

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with open(self.control_folder / "lock", "w", opener=opener) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


class Transport(filesystem.Transport):
    Channel = Channel
