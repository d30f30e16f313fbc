"""Makes a backup while everything runs: a snapshot of the database, then the keys.

The folder gets its final name once it is complete, so that nobody mistakes the remains of a crash for a backup.
"""

import shutil
import tempfile
from pathlib import Path
from types import ModuleType

from webapp.backup import postgres, sqlite
from webapp.backup.contents import BackupError, Contents, Kind, sync
from webapp.backup.keys import write_keys
from webapp.core.database import damaged
from webapp.core.runtime import Runtime

PROGRAMS: dict[Kind, ModuleType] = {Kind.SQLITE: sqlite, Kind.POSTGRESQL: postgres}


def kind_of(url: str) -> Kind:
    """The kind of the database at `url`."""
    return Kind.SQLITE if url.startswith("sqlite") else Kind.POSTGRESQL


def back_up(runtime: Runtime, folder: Path) -> Contents:
    """Makes a backup in `folder`, which is empty or does not exist, and returns its contents.

    Raises BackupError, and then leaves nothing behind.
    """
    folder = folder.resolve()
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise BackupError(f"{folder} is not empty. Name a folder that is, or that is not there yet.")
        folder.parent.mkdir(parents=True, exist_ok=True)
        return _made_whole(runtime, folder)
    except OSError as error:
        raise BackupError(f"{folder} cannot be written: {error.strerror}.") from None


def _made_whole(runtime: Runtime, folder: Path) -> Contents:
    unfinished = Path(tempfile.mkdtemp(prefix=f"{folder.name}.unfinished-", dir=folder.parent))  # with mode 0700
    try:
        contents = _fill(runtime, unfinished)
        unfinished.rename(folder)  # this replaces an empty folder, but never one with content
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    sync(folder.parent)
    return contents


def _fill(runtime: Runtime, folder: Path) -> Contents:
    url, made_at = runtime.settings.database, runtime.now()
    kind = kind_of(url)
    program = PROGRAMS[kind]
    program.save(url, folder / kind.file)
    try:
        version = program.check(folder / kind.file)
    except BackupError as error:
        if kind is Kind.SQLITE:  # a copy is as good as the file that it was made of
            raise BackupError(f"{damaged(sqlite.file_of(url), str(error).rstrip('.'))}.") from None
        raise
    write_keys(runtime.settings, folder)
    contents = Contents.of(folder, kind, version, made_at)
    contents.write(folder)
    return contents
