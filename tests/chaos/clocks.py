"""A machine of its own for a process: its clock may jump, by libfaketime (Debian, Ubuntu: apt install libfaketime)."""

from collections.abc import Mapping
from datetime import timedelta
from glob import glob
from pathlib import Path

WHERE = ("/usr/lib/*/faketime/libfaketimeMT.so.1", "/usr/lib/faketime/libfaketimeMT.so.1")
JUMP = timedelta(seconds=2)  # less than the service allows for between two machines (`worker.batch.MARGIN`)


class NoClock(Exception):
    """No process can have another clock here; the text says why."""


class Clock:
    """The clock of the processes that get its `environment`. Raises NoClock."""

    def __init__(self, folder: Path) -> None:
        found = [file for pattern in WHERE for file in glob(pattern)]
        if not found:
            raise NoClock("libfaketime is not installed")
        self._file = folder / "clock"
        self.set(timedelta())
        self.environment: Mapping[str, str] = {
            "LD_PRELOAD": found[0],
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "NO_FAKE_STAT": "1",
        }

    def set(self, ahead: timedelta) -> None:
        """Sets the clock so much ahead of the other machines', or behind them."""
        written = self._file.with_suffix(".new")
        written.write_text(f"{ahead.total_seconds():+.0f}\n", encoding="ascii")
        written.rename(self._file)
