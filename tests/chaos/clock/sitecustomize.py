"""Python imports this first in a process that gets this folder as PYTHONPATH: its clock is CLOCK_AHEAD seconds ahead.

A negative number is behind. What measures durations (`time.monotonic`) stays as it is, as with a clock that is set.
"""

import datetime as module
import os
import time
from typing import Any

AHEAD = float(os.environ.get("CLOCK_AHEAD") or 0)
_seconds, _nanoseconds, _real = time.time, time.time_ns, module.datetime


class _Kind(type):
    """Makes `isinstance` and `issubclass` take every datetime for an Ahead, one from the standard library, too."""

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, _real)

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, _real)


class Ahead(_real, metaclass=_Kind):
    @classmethod
    def now(cls, tz: Any = None) -> Any:
        return _real.now(tz) + module.timedelta(seconds=AHEAD)

    @classmethod
    def utcnow(cls) -> Any:
        return _real.utcnow() + module.timedelta(seconds=AHEAD)

    @classmethod
    def today(cls) -> Any:
        return cls.now()


if AHEAD:
    time.time = lambda: _seconds() + AHEAD
    time.time_ns = lambda: _nanoseconds() + int(AHEAD * 1e9)
    Ahead.__name__ = Ahead.__qualname__ = "datetime"
    module.datetime = Ahead  # type: ignore[misc]
