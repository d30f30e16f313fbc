"""The threads of a web process that answer requests: how many of them do so at the same time."""

import time
from collections.abc import Callable
from typing import Any, Protocol

from waitress.task import ThreadedTaskDispatcher

SLOW_SECONDS = 0.05  # many times what a page takes


class Task(Protocol):
    def service(self) -> None: ...


def every(_: Task) -> bool:
    """That a request only computes, of each."""
    return True


class Threads(ThreadedTaskDispatcher):  # type: ignore[misc]  # the library has no types
    """Threads that answer `at_once` requests at the same time that only compute, and one more whenever those are slow.

    Python runs one thread at a time. Threads that all compute take its lock from each other, for instance at each
    statement to a SQLite file, and so finish later than one after another. But no request may keep the others waiting
    while it waits itself: after SLOW_SECONDS it no longer counts. One that does not only compute never does, and
    begins as soon as a thread is free.
    """

    def __init__(self, threads: int, at_once: int, only_computes: Callable[[Any], bool] = every) -> None:
        super().__init__()
        self._at_once, self._only_computes = at_once, only_computes
        self._begun: dict[int, float] = {}  # by thread that answers: since when, on the monotonic clock
        self._is_watched = False  # whether a thread waits for those that answer to become slow
        self.set_thread_count(threads)

    def handler_thread(self, thread_no: int) -> None:
        """What each thread does until it is told to stop."""
        while (task := self._next(thread_no)) is not None:
            try:
                task.service()
            except BaseException:
                self.logger.exception("Exception when servicing %r", task)

    def add_task(self, task: Task) -> None:
        with self.lock:
            self.queue.append(task)
            # The thread that ends first takes the task. In case none ends soon, one watches; or one may begin now.
            if not self._is_watched or len(self._begun) < self._at_once or not self._only_computes(task):
                self.queue_cv.notify()

    def _next(self, thread_no: int) -> Task | None:
        """Waits for a task that this thread may begin, now that its last one has ended. None if it shall stop."""
        with self.lock:
            self._begun.pop(thread_no, None)
            while not self.stop_count:
                seconds = self._seconds_to_wait() if self.queue else None
                if (task := self._first_to_begin(seconds)) is not None:
                    self._begin(thread_no, task)
                    return task
                self._wait(seconds)
            self.stop_count -= 1
            self.threads.discard(thread_no)
            self.thread_exit_cv.notify()
            return None

    def _first_to_begin(self, seconds: float | None) -> Task | None:
        """The first of the tasks that may begin, if those that only compute have to wait for so many seconds."""
        if seconds == 0:
            first: Task = self.queue[0]
            return first
        if seconds is None or self._only_computes is every:  # to look through the queue would delay each page
            return None
        return next((task for task in self.queue if not self._only_computes(task)), None)

    def _seconds_to_wait(self) -> float:
        """Until enough of the running requests are slow for one more to begin that only computes."""
        if len(self._begun) < self._at_once:
            return 0
        newest = sorted(self._begun.values())[-self._at_once]
        return max(0, newest + SLOW_SECONDS - time.monotonic())

    def _begin(self, thread_no: int, task: Task) -> None:
        if self._only_computes(task):
            self._begun[thread_no] = time.monotonic()
        self.queue.remove(task)
        if self.queue and not self._is_watched:
            self.queue_cv.notify()

    def _wait(self, seconds: float | None) -> None:
        """Waits to be woken. With `seconds`, for so long at most, unless another thread watches already."""
        is_watching = seconds is not None and not self._is_watched
        self._is_watched |= is_watching
        self.queue_cv.wait(seconds if is_watching else None)
        if is_watching:
            self._is_watched = False
