"""The code of the robot's own process (`engine`): it answers questions with the compiled search.

On a new machine that must be compiled first, which takes twenty seconds. Nobody waits for that: until then the search
runs as plain Python, three hundred times as slow, and for a shorter time. This
process imports nothing else of the service.
"""

import logging
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from select import select
from threading import Thread
from typing import Final

from hearts.game import Game
from hearts.review import Opinion, review
from hearts.robot import Choice, Level, consider, warm_up
from hearts.turns import Turn
from hearts.view import View
from webapp.robots.engine import NoAnswer

IDLE: Final = 60.0  # seconds without a question, after which the process ends
LOADING: Final = 2.0  # seconds that the first question waits for a search that was compiled before
PLAIN_SECONDS: Final = 0.5  # of thought without compiled code: about as many roll-outs as level `steady` has

CACHED: Final = "compiled.*.nb[ic]"  # the files of numba's cache that are of the search

log = logging.getLogger(__name__)


def warm() -> None:
    """Loads the compiled search. If that fails, as where a file of the cache is damaged or the disk is full, it drops
    what was cached, and compiles the search in memory; the next process caches it again.
    """
    try:
        warm_up()
    except Exception as error:  # noqa: BLE001 - a damaged file may raise anything
        log.warning("the compiled search could not be loaded (%s); it is compiled anew", type(error).__name__)
        forget_compiled()
        warm_up(caches=False)


def forget_compiled() -> None:
    """Deletes the cached files of the compiled search, if they can be deleted."""
    from hearts.robot import compiled  # which imports numba

    for file in Path(compiled.cache_folder()).glob(CACHED):
        with suppress(OSError):
            file.unlink()


_warming = Thread(target=warm, name="robot", daemon=True)


def serve() -> None:
    """Reads pickled questions from standard input, and writes their results, until the input ends or is quiet.

    Signals to the whole group of processes are for the process that asks, which ends this one.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    answers, sys.stdout = sys.stdout.buffer, sys.stderr
    _warming.start()
    _warming.join(LOADING)
    with suppress(EOFError):
        while _is_asked():
            question: Callable[[], object] = pickle.load(sys.stdin.buffer)
            try:
                answer = True, question()
            except Exception as error:  # noqa: BLE001 - the process that asks handles it
                answer = False, error
            pickle.dump(answer, answers)
            answers.flush()
    os._exit(0)  # at once: the compiler crashes in a process that ends otherwise


def _is_asked() -> bool:
    """Waits for a question, or for the end of the input; False once the search is compiled and a minute was quiet."""
    while not select([sys.stdin], [], [], IDLE)[0]:
        if not _warming.is_alive():
            return False
    return True


def consider_within(seconds: float, seen: View, level: Level, seed: int, *, hurried: bool) -> Choice:
    """Does the same as `consider`, within `seconds`; within PLAIN_SECONDS while the search is not compiled."""
    ends = time.monotonic() + (PLAIN_SECONDS if _warming.is_alive() else seconds)
    return consider(seen, level=level, seed=seed, hurried=hurried, stop=lambda: time.monotonic() > ends)


def review_within(seconds: float, before: Game, turns: Sequence[Turn], seed: int) -> tuple[Opinion, ...]:
    """Does the same as `review`, within about `seconds`. Raises NoAnswer if the search is not compiled in time."""
    _warming.join(LOADING)
    if _warming.is_alive():
        raise NoAnswer
    ends = time.monotonic() + seconds
    return review(before, turns, seed=seed, stop=lambda: time.monotonic() > ends)
