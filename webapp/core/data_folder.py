"""The data directory: database, broker and keys of the embedded defaults, readable by the service's user alone.

Folders are made with mode 0700 and files with 0600, whatever the umask. When a process starts, it takes away the access
that an earlier version left to others. In a directory that also holds other things, only our own entries are changed.
"""

import logging
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from dotenv import dotenv_values

# The settings file of a data directory: lines NAME='value', for hosts whose supervisor sets no environment.
# The environment outranks it. It may hold passwords, so only its user can read it.

NAME = "settings.env"


def load(folder: Path) -> None:
    """Sets what the file of the data directory `folder` names in the environment of this process and its children."""
    for name, value in dotenv_values(folder / NAME, interpolate=False).items():  # a password may hold ${…}
        if value is not None and not os.environ.get(name):
            os.environ[name] = value


def file_content(settings: Mapping[str, str]) -> str:
    """The text of a settings file with these settings."""
    escaped = {name: value.replace("\\", "\\\\").replace("'", "\\'") for name, value in settings.items()}
    return "".join(f"{name}='{value}'\n" for name, value in escaped.items())


log = logging.getLogger(__name__)

FOLDER_MODE, FILE_MODE = 0o700, 0o600
DATABASE = "hearts.db"
OURS = (
    DATABASE,
    NAME,
    "secret_keys",
    "vapid_key.pem",
    "restores",
    "dealt",
    "broker",
)  # prefixes of our entries' names
SYSTEMS = {"lost+found"}  # a directory that is a mount point may hold this


def make_folder(folder: Path) -> None:
    """Makes a missing folder with mode 0700, and missing parents with the default mode."""
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)


def noted_number(file: Path) -> int:
    """The number that the file notes; 0 if it notes none."""
    try:
        return int(file.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return 0


def note_number(file: Path, number: int) -> None:
    """Notes a number in the file, which appears complete; in a folder that cannot be written to it is not noted."""
    new = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    with suppress(OSError):
        try:
            with open(new, "x", encoding="ascii", opener=opener) as written:
                written.write(str(number))
            new.replace(file)
        finally:
            new.unlink(missing_ok=True)


def make_file(path: Path, content: str = "") -> None:
    """Makes a missing file with that content and mode 0600; if several processes do, the first one's file stays.

    The file appears complete and is closed by then: closing any descriptor of a database drops all locks that the
    process holds on it. Raises OSError if the file cannot be made.
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
    """An opener for `open`, which gives new files mode 0600."""
    return os.open(path, flags, FILE_MODE)


def prepare(folder: Path) -> None:
    """Makes the data directory if it is missing, and takes all other users' access to it and to our entries away."""
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
    """The entry and everything below it. Symbolic links are left out: they may lead to what is not ours."""
    if entry.is_symlink():
        return
    yield entry
    if entry.is_dir():
        for inner in entry.iterdir():
            yield from _within(inner)


def _close(path: Path) -> None:
    with suppress(FileNotFoundError, PermissionError):  # a worker has consumed it meanwhile, or it is another user's
        mode = FOLDER_MODE if path.is_dir() else FILE_MODE
        if path.stat().st_mode & 0o777 != mode:
            path.chmod(mode)
