"""How many requests a process answers at the same time, and that none waits for one that waits itself."""

import threading
from collections.abc import Callable, Iterator
from threading import Barrier, Event

import pytest

from tests.servers import wait_until
from webapp.core import threads
from webapp.core.threads import Threads

SECONDS = 30  # for what should happen at once
THREADS = 4


class Task:
    def __init__(self, do: Callable[[], object]) -> None:
        self.service = do
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


@pytest.fixture
def start() -> Iterator[Callable[..., Threads]]:
    started: list[Threads] = []

    def start(at_once: int, *only_computes: Callable[[Task], bool]) -> Threads:
        started.append(Threads(THREADS, at_once, *only_computes))
        return started[-1]

    yield start
    for each in started:
        each.shutdown()


@pytest.fixture
def nothing_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "SLOW_SECONDS", 3600)


class Count:
    """Tasks, and how many of them ran at the same time at most."""

    def __init__(self) -> None:
        self._lock, self._running = threading.Lock(), 0
        self.most, self.done = 0, 0

    def task(self) -> Task:
        return Task(self._run)

    def _run(self) -> None:
        with self._lock:
            self._running += 1
            self.most = max(self.most, self._running)
        Event().wait(0.002)
        with self._lock:
            self._running -= 1
            self.done += 1


@pytest.mark.parametrize("at_once", [1, 2, THREADS])
def test_requests_that_are_not_slow_are_answered_so_many_at_a_time(start, nothing_is_slow, at_once):
    dispatcher, count = start(at_once), Count()
    for _ in range(50):
        dispatcher.add_task(count.task())
    wait_until("all tasks", lambda: count.done == 50)
    assert count.most == at_once


@pytest.mark.parametrize("at_once", [1, 2, THREADS])
@pytest.mark.parametrize("waiting", range(THREADS))
def test_a_request_is_answered_while_others_wait_in_all_threads_but_one(start, at_once, waiting):
    dispatcher, released, answered = start(at_once), Event(), Event()
    for _ in range(waiting):
        dispatcher.add_task(Task(lambda: released.wait(SECONDS)))
    dispatcher.add_task(Task(answered.set))
    assert answered.wait(SECONDS)
    released.set()


@pytest.mark.parametrize("at_once", [1, 2])
def test_what_also_waits_overtakes_what_only_computes_and_delays_none_of_it(start, nothing_is_slow, at_once):
    waiting: set[Task] = set()
    dispatcher, released, computed = start(at_once, lambda task: task not in waiting), Event(), Event()

    def add_waiting(do: Callable[[], object]) -> None:
        task = Task(do)
        waiting.add(task)
        dispatcher.add_task(task)

    began = [Event() for _ in range(at_once)]
    for each in began:
        dispatcher.add_task(Task(lambda each=each: (each.set(), released.wait(SECONDS))))
    assert all(each.wait(SECONDS) for each in began)
    dispatcher.add_task(Task(computed.set))
    for _ in range(3):
        answered = Event()
        add_waiting(answered.set)
        assert answered.wait(SECONDS)
    assert not computed.is_set()
    released.set()
    assert computed.wait(SECONDS)
    held = [Event() for _ in range(THREADS - 1)]
    for each in held:
        add_waiting(lambda each=each: each.wait(SECONDS))
    answered = Event()
    dispatcher.add_task(Task(answered.set))
    assert answered.wait(SECONDS)
    for each in held:
        each.set()


def test_a_request_that_comes_when_no_thread_answers_is_answered_at_once(start, nothing_is_slow):
    dispatcher, released = start(1), Event()
    dispatcher.add_task(Task(lambda: released.wait(SECONDS)))
    for _ in range(THREADS):  # one thread after another waits for the first
        queued = Event()
        dispatcher.add_task(Task(queued.set))
    released.set()
    assert queued.wait(SECONDS)
    for _ in range(10):
        answered = Event()
        dispatcher.add_task(Task(answered.set))
        assert answered.wait(SECONDS)


def test_a_thread_goes_on_after_a_request_that_failed(start, nothing_is_slow):
    dispatcher = start(1)
    for _ in range(2 * THREADS):
        dispatcher.add_task(Task(lambda: 1 // 0))
    answered = Event()
    dispatcher.add_task(Task(answered.set))
    assert answered.wait(SECONDS)


@pytest.mark.parametrize("at_once", [1, THREADS])
def test_no_request_is_lost_however_many_threads_ask(start, at_once):
    dispatcher, count, barrier = start(at_once), Count(), Barrier(3)

    def ask() -> None:
        barrier.wait(SECONDS)
        for _ in range(100):
            dispatcher.add_task(count.task())

    clients = [threading.Thread(target=ask) for _ in range(3)]
    for client in clients:
        client.start()
    wait_until("all tasks", lambda: count.done == 300)


@pytest.mark.parametrize("at_once", [1, THREADS])
def test_a_shutdown_ends_the_threads_and_cancels_what_has_not_begun(start, at_once):
    dispatcher, released = start(at_once), Event()
    tasks = [Task(lambda: released.wait(SECONDS)) for _ in range(THREADS + 1)]
    for task in tasks:
        dispatcher.add_task(task)
    wait_until("the last one waits", lambda: len(dispatcher.queue) == 1)
    stop = threading.Thread(target=dispatcher.shutdown)
    stop.start()
    wait_until("the shutdown", lambda: dispatcher.stop_count == THREADS)
    released.set()
    stop.join(SECONDS)
    assert not dispatcher.threads
    assert [task.cancelled for task in tasks] == [False] * THREADS + [True]
