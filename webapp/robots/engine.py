"""The process in which the robot searches: it starts when it is needed, and ends by itself after a quiet minute.

The compiled search takes 130 MB, which no other process holds. If it crashes or hangs, that costs one answer. Questions
of several threads are answered one after the other.
"""

import atexit
import logging
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Timer
from typing import Final, TypeVar

log = logging.getLogger(__name__)

PATIENCE: Final = 20.0  # seconds for an answer; then the search hangs
_SERVES: Final = "from webapp.robots.searching import serve; serve()"
_A = TypeVar("_A")


class NoAnswer(Exception):
    """The process has ended, hangs, or has not compiled the search yet."""


class Engine:
    """At most one process, and the questions to it."""

    def __init__(self, code: str = _SERVES, patience: float = PATIENCE) -> None:
        self._command, self._patience = [sys.executable, "-c", code], patience
        self._lock = Lock()  # held while the process computes an answer
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts the process, unless it runs, so that it is ready when somebody asks. Does not wait for it."""
        if self._lock.acquire(blocking=False):  # else it runs
            try:
                self._running()
            finally:
                self._lock.release()

    def ask(self, question: Callable[[], _A]) -> _A:
        """The result of `question`, computed in the process; both are pickled. Raises NoAnswer, and what it raises."""
        with self._lock:
            process = self._running()
            alarm = Timer(self._patience, process.kill)
            alarm.start()
            try:
                assert process.stdin is not None
                assert process.stdout is not None
                pickle.dump(question, process.stdin)
                process.stdin.flush()
                succeeds, answer = pickle.load(process.stdout)  # the result, or else the exception
            except (OSError, EOFError, pickle.UnpicklingError):
                self._end()
                log.warning("the robot's process has ended or hung; the next question starts another one")
                raise NoAnswer from None
            finally:
                alarm.cancel()
        if not succeeds:
            raise answer
        result: _A = answer
        return result

    def stop(self) -> None:
        """Ends the process, whatever it does."""
        if self._process:
            self._process.kill()
        with self._lock:
            self._end()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self._process

    def _end(self) -> None:
        if self._process:
            self._process.kill()
            with suppress(BrokenPipeError), self._process:  # closes the pipes, and waits for the end
                pass
        self._process = None


engine: Final = Engine()
"""The engine of this process of the service."""
atexit.register(engine.stop)
