"""A disk of our own can be full, and is ours alone."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import ROOT

FILLED_AND_FREED = """
import sys
from pathlib import Path
from tests.chaos.disk import Disk, NoDisk, have_own_mounts

try:
    have_own_mounts()
    disk = Disk(Path(sys.argv[1]))
except NoDisk as error:
    sys.exit(f"no disk: {error}")
file = disk.folder / "file"
file.write_bytes(b"before")
disk.fill()
for grown in (file, disk.folder / "another"):
    try:
        with grown.open("ab") as appended:
            appended.write(bytes(100_000))
    except OSError as error:
        print(error.errno)
disk.free()
file.write_bytes(bytes(100_000))
print(file.stat().st_size)
"""


def test_a_full_disk_accepts_nothing_until_freed_and_harms_nobody(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FILLED_AND_FREED, tmp_path / "disk"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if run.stderr.startswith("no disk"):
        pytest.skip(run.stderr)
    assert (run.stdout.split(), run.stderr) == ([str(errno.ENOSPC)] * 2 + ["100000"], "")
    assert list((tmp_path / "disk").iterdir()) == []
