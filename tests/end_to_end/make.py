"""`make run`, as a newcomer types it."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from tests.processes import heeding_interrupts
from tests.servers import ROOT

Make = subprocess.Popen[bytes]
PROCESSES = 6  # the supervisor, web (two), worker, scheduler, inbox


@contextmanager
def make_run(folder: Path, port: int) -> Iterator[tuple[Make, Path]]:
    """`make run`, with the virtual environment of the tests, and the file that takes its output."""
    inherited = {name: text for name, text in os.environ.items() if not re.match("MAKE|MFLAGS|[A-Z]+_URL", name)}
    command = heeding_interrupts(["make", "run", f"VENV={sys.prefix}", "-o", f"{sys.prefix}/.runtime"])
    settings = {"DATA_DIR": str(folder / "var"), "PORT": str(port)}
    said = folder / "said"
    with said.open("wb") as output:
        make = subprocess.Popen(
            command, cwd=ROOT, env={**inherited, **settings}, stdout=output, stderr=output, start_new_session=True
        )
        try:
            yield make, said
        finally:
            for process in [make, *descendants(make)]:
                process.kill()
            make.wait()


def descendants(make: Make) -> list[psutil.Process]:
    try:
        return psutil.Process(make.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []
