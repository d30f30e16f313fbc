"""The data directory: database, broker and keys of the embedded defaults, for the user of the service alone.

Folders are made with mode 0700 and files with 0600, whatever the umask, and what an earlier version left open is closed
when a process starts. A directory that holds other things as well is somebody's own: only what is ours in it is closed.
"""

import logging
import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

log = logging.getLogger(__name__)

FOLDER_MODE, FILE_MODE = 0o700, 0o600
OURS = ("hearts.db", "secret_keys", "vapid_key.pem", "broker")  # and names that go on after one of these
SYSTEMS = {"lost+found"}  # what may lie in a directory that is a disk of its own


def make_folder(folder: Path) -> None:
    """Makes a folder, for this user alone, where it is missing, and as usual those that it lies in."""
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)


def make_file(path: Path, content: str = "") -> None:
    """Makes a file with that content, for this user alone, where there is none; of several that do, one is faster.

    It appears whole, and is not open any more by then: whoever closes a database loses all locks that their process
    has on it. Raises OSError where none can be made.
    """
    new = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        with open(new, "x", encoding="utf-8", opener=opener) as file:
            file.write(content)
        with suppress(FileExistsError):
            path.hardlink_to(new)
    finally:
        new.unlink(missing_ok=True)


def opener(path: str, flags: int) -> int:
    """For `open`: a file that is made is for this user alone."""
    return os.open(path, flags, FILE_MODE)


def prepare(folder: Path) -> None:
    """Makes the data directory where it is missing, and closes it, and what is ours in it, to all other users."""
    make_folder(folder)
    entries = [entry for entry in folder.iterdir() if entry.name not in SYSTEMS]
    ours = [entry for entry in entries if entry.name.startswith(OURS)]
    if len(ours) == len(entries):
        _close(folder)
    elif folder.stat().st_mode & 0o077:
        log.warning("DATA_DIR holds other things as well, so that only what is ours in it is closed to other users")
    for entry in ours:
        for path in _within(entry):
            _close(path)


def _within(entry: Path) -> Iterator[Path]:
    """What is to be closed of an entry: itself, and all that lies in it. Links may lead to what is not ours."""
    if entry.is_symlink():
        return
    yield entry
    if entry.is_dir():
        for inner in entry.iterdir():
            yield from _within(inner)


def _close(path: Path) -> None:
    with suppress(FileNotFoundError, PermissionError):  # read by a worker meanwhile, or another user's
        mode = FOLDER_MODE if path.is_dir() else FILE_MODE
        if path.stat().st_mode & 0o777 != mode:
            path.chmod(mode)
