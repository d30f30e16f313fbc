"""Backups are made during operation, and are complete or absent."""

import json
import os
import signal
import stat
import subprocess
import sys
import threading

import pytest
from sqlmodel import func, select

from hearts.rules import preset_rules
from tests.cast import open_table, start_game
from tests.servers import ROOT, wait_until
from webapp.games.record.store import load
from webapp.models import GameRow, InboundRow, TurnRow
from webapp.operators.backup_contents import ABOUT

BACKUPS = 3
LARGE = 4 * 1024 * 1024


@pytest.fixture
def open_umask():
    """A umask that lets everybody read new files, unless their writer takes care."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_backup_made_during_turns_shows_one_moment(either_runtime, backed_up, operate, elsewhere):
    table = start_game(either_runtime, rules=preset_rules("classic", target=500))
    enough = threading.Event()

    def play():
        while not enough.is_set():
            table.play_first()

    thread = threading.Thread(target=play)
    thread.start()
    made = []
    for number in range(BACKUPS):
        turns = turns_of(either_runtime)
        wait_until("another turn", lambda turns=turns: turns_of(either_runtime) > turns)
        made.append(backed_up(either_runtime, f"backup-{number}"))
    enough.set()
    thread.join()
    counts = [turns_in(operate, elsewhere(either_runtime), folder) for folder in made]
    assert counts == sorted(set(counts))


def turns_of(runtime):
    with runtime.database.reading() as session:
        return session.exec(select(GameRow.turns)).one()


def turns_in(operate, other, made):
    """How many turns the backup has, once it is restored: as many as its game says, and they form a game."""
    assert operate(other, "restore", made).exit_code == 0
    with other.database.reading() as session:
        game = session.exec(select(GameRow)).one()
        assert session.exec(select(func.count()).select_from(TurnRow)).one() == game.turns
        load(session, game.id)
        return game.turns


@pytest.mark.usefixtures("open_umask")
def test_only_the_owner_can_read_a_backup(either_runtime, backed_up):
    either_runtime.settings.push_key()
    made = backed_up(either_runtime)
    copy = {"sqlite": "hearts.db", "postgresql": "hearts.dump"}[either_runtime.database.engine.dialect.name]
    assert {file.name for file in made.iterdir()} == {ABOUT, copy, "secret_keys", "vapid_key.pem"}
    assert mode(made) == 0o700
    assert {mode(file) for file in made.iterdir()} == {0o600}


def test_neither_keys_nor_addresses_are_printed(either_runtime, operate, folder):
    open_table(either_runtime)
    said = operate(either_runtime, "backup", folder).output
    about = json.loads((folder / ABOUT).read_text())
    assert about["version"] in said
    secrets = [*either_runtime.settings.keys(), "example.org", either_runtime.settings.database]
    assert [secret for secret in secrets if secret in said or secret in str(about)] == []


def test_an_empty_folder_is_accepted(runtime, backed_up, tmp_path):
    (tmp_path / "backup").mkdir(mode=0o755)
    assert mode(backed_up(runtime)) == 0o700


@pytest.mark.parametrize("what", ["a folder with something in it", "an earlier backup", "a file"])
def test_a_backup_overwrites_nothing(runtime, operate, folder, what):
    if what == "an earlier backup":
        operate(runtime, "backup", folder)
    elif what == "a file":
        folder.write_text("mine")
    else:
        folder.mkdir()
        (folder / ".hidden").write_text("mine")
    before = sorted((path, path.stat().st_mtime_ns) for path in (folder, *folder.glob("*")))
    done = operate(runtime, "backup", folder)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"{folder} is not empty. Name a folder that is, or that is not there yet.\n"
    assert sorted((path, path.stat().st_mtime_ns) for path in (folder, *folder.glob("*"))) == before
    assert list(folder.parent.glob("*unfinished*")) == []


def test_a_killed_backup_leaves_nothing_and_the_next_is_complete(runtime, operate, folder, elsewhere):
    with runtime.database.writing() as session:
        about = {"sender": "", "recipient": "r@example.org", "next_at": None, "received_at": runtime.now()}
        session.add_all(InboundRow(identity=str(number), raw=bytes(LARGE), **about) for number in range(8))
    killed = 0
    while killed < 3:
        _kill_a_backup(runtime, folder)
        if folder.exists():  # it was faster than the kill
            assert operate(elsewhere(runtime), "restore", folder).exit_code == 0
            folder.rename(folder.with_name(f"whole-{len(list(folder.parent.iterdir()))}"))
        killed = len(unfinished(folder))
    for left in unfinished(folder):
        if not (left / ABOUT).exists():
            done = operate(elsewhere(runtime), "restore", left)
            assert (done.exit_code, done.stderr) == (1, f"{left} is no whole backup: there is no {ABOUT} in it.\n")
    assert operate(runtime, "backup", folder).exit_code == 0
    assert operate(elsewhere(runtime), "restore", folder).exit_code == 0


def _kill_a_backup(runtime, folder):
    """Begins a backup, and kills it as soon as some of it is visible."""
    before = len(unfinished(folder))
    process = subprocess.Popen(command(folder), cwd=ROOT, env=environment(runtime), start_new_session=True)
    wait_until("a backup begun", lambda: len(unfinished(folder)) > before or folder.exists(), 90)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def unfinished(folder):
    return list(folder.parent.glob(f"{folder.name}.unfinished-*"))


def command(folder):
    return [sys.executable, "-m", "flask", "--app", "webapp", "backup", str(folder)]


def environment(runtime):
    return {**os.environ, "DATA_DIR": str(runtime.settings.data_dir), "DATABASE_URL": runtime.settings.database}
