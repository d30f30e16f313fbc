"""A machine of its own for a process: its clock may jump. A C compiler makes the library through which it sees that."""

import shutil
import subprocess
import sys
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

SOURCE = Path(__file__).with_name("ahead.c")
JUMP = timedelta(seconds=2)  # less than the service allows for between two machines (`webapp.outbox.letters.MARGIN`)


class NoClock(Exception):
    """No process can have another clock here; the text says why."""


class Clock:
    """The clock of the processes that get its `environment`. Raises NoClock."""

    def __init__(self, folder: Path) -> None:
        compiler = shutil.which("cc")
        if compiler is None:
            raise NoClock("there is no C compiler")
        library = folder / "ahead.so"
        made = subprocess.run(
            [compiler, "-shared", "-fPIC", "-O2", "-o", library, SOURCE, "-ldl"],
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode:
            raise NoClock(f"the compiler says: {made.stderr.strip()[:200]}")
        self._file = folder / "clock"
        self._file.write_bytes(bytes(8))
        self.environment: Mapping[str, str] = {"LD_PRELOAD": str(library), "CLOCK_FILE": str(self._file)}

    def set(self, ahead: timedelta) -> None:
        """Sets the clock so much ahead of the other machines', or behind them."""
        with self._file.open("r+b") as file:
            file.write(int(ahead.total_seconds()).to_bytes(8, sys.byteorder, signed=True))
