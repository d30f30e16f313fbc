"""Restores a backup into an empty database: checks everything before it writes anything.

Players who are asked for a turn get a full deadline: while the service was away nobody could answer, and what they
answered after the backup is gone.
"""

from pathlib import Path

from sqlmodel import select

from webapp import service
from webapp.backup.contents import BackupError, Contents, read_contents
from webapp.backup.keys import advice_on_keys, check_keys, restore_keys
from webapp.backup.making import PROGRAMS, kind_of
from webapp.core.runtime import Runtime
from webapp.games import store
from webapp.games.presence import lock_players
from webapp.migrations import upgrade, versions
from webapp.models import GameRow, GameState


def restore(runtime: Runtime, folder: Path) -> tuple[Contents, list[str]]:
    """Restores the backup in `folder`, and brings its tables to the newest version. No other process may run.

    Returns what was in it, and what the operator should change in the settings, a sentence each. Raises BackupError;
    the database is then as empty as before.
    """
    settings = runtime.settings
    contents = read_contents(folder)
    if contents.database is not kind_of(settings.database):
        raise BackupError(
            f"The backup is of {contents.database.maker}, and DATABASE_URL names another kind of database."
        )
    if contents.version not in versions():
        raise BackupError(f"The backup is of version {contents.version}, which a newer program has made; use that one.")
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
    _give_time(Runtime(settings, runtime.now))
    return contents, advice_on_keys(settings, folder)


def _give_time(runtime: Runtime) -> None:
    """Gives everybody who is asked for a turn a full deadline from now on."""
    with runtime.database.reading() as session:
        games = session.exec(select(GameRow.id).where(GameRow.state == GameState.PLAYING)).all()
    for game_id in games:
        assert game_id is not None
        with runtime.database.writing() as session:
            stored = store.load(session, game_id, lock=True)
            lock_players(session, stored.seats)
            service.clock_changed(session, runtime, stored, runtime.now())
    runtime.database.engine.dispose()
