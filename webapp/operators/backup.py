"""Makes a backup while everything runs, and restores one into an empty database."""

import shutil
import tempfile
from pathlib import Path
from types import ModuleType

from sqlmodel import func, select, update

from webapp.core.database import damaged, one_by_one
from webapp.core.runtime import Runtime
from webapp.games.clock import clocks
from webapp.games.record import sealed
from webapp.games.record.changing import Transaction
from webapp.migrations import upgrade, versions
from webapp.models import GameRow, GameState, LetterRow, PlayerRow
from webapp.operators import backup_postgres, backup_sqlite
from webapp.operators.backup_contents import (
    BackupError,
    Contents,
    Kind,
    advice_on_keys,
    check_keys,
    read_contents,
    restore_keys,
    sync,
    write_keys,
)
from webapp.play import course

# Makes a backup while everything runs: a snapshot of the database, then the keys.
# The folder gets its final name once it is complete, so that nobody mistakes the remains of a crash for a backup.

PROGRAMS: dict[Kind, ModuleType] = {Kind.SQLITE: backup_sqlite, Kind.POSTGRESQL: backup_postgres}


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
        unfinished = Path(tempfile.mkdtemp(prefix=f"{folder.name}.unfinished-", dir=folder.parent))  # with mode 0700
        try:
            contents = _fill(runtime, unfinished)
            unfinished.rename(folder)  # this replaces an empty folder, but never one with content
        except BaseException:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise
        sync(folder.parent)
        return contents
    except OSError as error:
        raise BackupError(f"{folder} cannot be written: {error.strerror}.") from None


def _fill(runtime: Runtime, folder: Path) -> Contents:
    url, made_at = runtime.settings.database, runtime.now()
    kind = kind_of(url)
    program = PROGRAMS[kind]
    program.save(url, folder / kind.file)
    try:
        version = program.check(folder / kind.file)
    except BackupError as error:
        if kind is Kind.SQLITE:  # a copy is as good as the file that it was made of
            raise BackupError(f"{damaged(backup_sqlite.file_of(url), str(error).rstrip('.'))}.") from None
        raise
    write_keys(runtime.settings, folder)
    contents = Contents.of(folder, kind, version, made_at)
    contents.write(folder)
    return contents


# Restores a backup into an empty database, and checks everything before it writes anything.
# Players whose turn it is get a full deadline: they could not answer while the service was down, and answers from after
# the backup are lost.


def restore(runtime: Runtime, folder: Path) -> tuple[Contents, list[str]]:
    """Restores the backup in `folder`, and brings its tables to the newest version. No other process may run.

    Returns the contents of the backup, and sentences on what the operator should change in the settings. Raises
    BackupError; then the database is still empty.
    """
    settings = runtime.settings
    contents = read_contents(folder)
    if contents.database is not kind_of(settings.database):
        raise BackupError(
            f"The backup is of {contents.database.maker}, and DATABASE_URL names another kind of database."
        )
    if contents.version not in versions():
        raise BackupError(f"A newer program has made this backup, of version {contents.version}; use that one.")
    program = PROGRAMS[contents.database]
    program.check_is_empty(settings.database)
    program.check(folder / contents.database.file)
    check_keys(settings, folder)
    try:
        restore_keys(settings, folder)
        program.load(settings.database, folder / contents.database.file)
    except OSError as error:
        raise BackupError(f"The backup cannot be restored: {error.strerror}.") from None
    upgrade(settings.database)
    _begin_era(runtime, contents, folder)
    _give_time(Runtime(settings, runtime.now))
    return contents, advice_on_keys(settings, folder)


def _begin_era(runtime: Runtime, contents: Contents, folder: Path) -> None:
    """Notes what is lost: ids that were given out since the backup are given out again, and open nothing of others.

    The number of the restore is noted outside of the database, too: secrets that were opened in a time that is lost
    must never deal again, not even if the same backup is restored a second time.
    """
    runtime = Runtime(runtime.settings, runtime.now)
    with runtime.database.writing() as session:
        last = session.exec(select(func.max(LetterRow.id))).one() or 0
        sealed.begin_era(session, (runtime.settings.data_dir, folder), contents.made_at, runtime.now(), last)
        session.exec(update(PlayerRow).values(browser_at=None))  # their cookies of that time are void, too
    runtime.database.engine.dispose()


def _give_time(runtime: Runtime) -> None:
    """Gives every player whose turn it is a full deadline from now on."""
    with runtime.database.reading() as session:
        games = session.exec(select(GameRow.id).where(GameRow.state == GameState.PLAYING)).all()

    def give(game_id: int) -> None:
        with runtime.database.writing() as session:
            game = Transaction(session, runtime, runtime.now()).game(game_id)  # no process runs for which it could ring
            clocks.forget(game.stored)
            course.clock_changed(game)

    one_by_one("game", games, give)
    runtime.database.engine.dispose()
