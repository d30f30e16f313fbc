"""One clock for all processes and machines: that of the database.

One process sets a deadline, and another finds that it is over. If each went by its own machine's clock, one whose clock
is ahead would play for people too soon.
"""

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from threading import Lock

from webapp.core.database import Database, DatabaseDown

log = logging.getLogger(__name__)

LOOK_EVERY = 60.0  # seconds between two looks at the database's clock
LOOK_AGAIN = 5.0  # seconds until the next look, after one that failed
JUMP = 1.0  # seconds; if somebody sets this machine's clock by more, it looks at once
PRECISION = timedelta(seconds=0.1)  # it corrects no smaller error, so that the time never jumps back a little
TELLING = timedelta(seconds=5)  # it logs a larger error


class DatabaseClock:
    """Tells the time by this machine's clock, corrected by that of the database; threads may share it.

    While the database is down, the last correction holds.
    """

    def __init__(self, database: Callable[[], Database]) -> None:
        self._database = database
        self._ahead = timedelta()  # of the database's clock before ours
        self._looking = Lock()
        self._look_at = 0.0  # by the monotonic clock; 0 until the first look
        self._began = 0.0  # when, by this machine's clock, its monotonic one was 0
        self._was_told = False

    def __call__(self) -> datetime:
        """The time in UTC."""
        if time.monotonic() >= self._look_at or self._was_set():
            self._look()
        return datetime.now(UTC) + self._ahead

    def _was_set(self) -> bool:
        return abs(time.time() - time.monotonic() - self._began) > JUMP

    def _look(self) -> None:
        """Looks at the database's clock, in one thread; the first time all others wait for that."""
        if not self._looking.acquire(blocking=not self._look_at):
            return
        try:
            if time.monotonic() < self._look_at and not self._was_set():
                return
            self._compare()
            self._look_at = time.monotonic() + LOOK_EVERY
        except DatabaseDown:
            self._look_at = time.monotonic() + LOOK_AGAIN
        finally:
            self._began = time.time() - time.monotonic()
            self._looking.release()

    def _compare(self) -> None:
        """Corrects the time, if it is wrong by more than the look can tell. Raises DatabaseDown."""
        begun = datetime.now(UTC)
        theirs = self._database().time()
        half = (datetime.now(UTC) - begun) / 2
        ahead = theirs - (begun + half)
        if abs(ahead - self._ahead) > max(half, PRECISION):
            self._ahead = ahead
            self._tell()

    def _tell(self) -> None:
        """Logs that this machine's clock is wrong, or is right again."""
        seconds = round(self._ahead.total_seconds())
        if abs(self._ahead) > TELLING:
            place = "behind" if seconds > 0 else "ahead of"
            log.warning("this machine's clock is %d seconds %s the database's, which is used", abs(seconds), place)
        elif self._was_told:
            log.warning("this machine's clock is right again")
        self._was_told = abs(self._ahead) > TELLING
