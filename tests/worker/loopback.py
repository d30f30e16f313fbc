"""A test's own server on the loopback, in its own thread while it is needed."""

import socketserver
import threading
from typing import Self


class Loopback:
    """Serves `self._server` while entered. Slow responses watch `self._over`, which is set at the end."""

    _server: socketserver.TCPServer

    def __init__(self) -> None:
        self._over = threading.Event()

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._server.serve_forever, args=[0.05])
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
