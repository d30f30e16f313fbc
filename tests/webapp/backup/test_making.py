"""Backups are made during operation, and are complete or absent."""

import json
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sqlmodel import func, select

from hearts.rules import preset_rules
from tests.cast import NAMES, make_runtime, open_table, play_first, start_game
from tests.keys import new_key
from tests.servers import POSTGRES_PROGRAMS, ROOT, free_port, wait_until
from webapp.backup.contents import ABOUT
from webapp.games.store import load
from webapp.models import GameRow, InboundRow, TurnRow

BACKUPS = 3
LARGE = 4 * 1024 * 1024


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "backup"


@pytest.fixture
def open_umask():
    """A umask that lets everybody read new files, unless their writer takes care."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_backup_made_during_turns_shows_one_moment(either_runtime, backed_up, run, elsewhere):
    game_id = start_game(either_runtime, rules=preset_rules("classic", target=500))
    enough = threading.Event()

    def play():
        while not enough.is_set():
            play_first(either_runtime, game_id)

    thread = threading.Thread(target=play)
    thread.start()
    made = []
    for number in range(BACKUPS):
        turns = turns_of(either_runtime)
        wait_until("another turn", lambda turns=turns: turns_of(either_runtime) > turns)
        made.append(backed_up(either_runtime, f"backup-{number}"))
    enough.set()
    thread.join()
    counts = [turns_in(run, elsewhere(either_runtime), folder) for folder in made]
    assert counts == sorted(set(counts))


def turns_of(runtime):
    with runtime.database.reading() as session:
        return session.exec(select(GameRow.turns)).one()


def turns_in(run, other, made):
    """How many turns the backup has, once it is restored: as many as its game says, and they form a game."""
    assert run(other, "restore", made).exit_code == 0
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


def test_the_keys_named_in_the_settings_are_in_the_backup(tmp_path, run, folder):
    new_key(tmp_path / "mail.pem")
    keys = ("k" * 40, "old " + "k" * 40)
    runtime = make_runtime(tmp_path / "var", dkim_key=tmp_path / "mail.pem", secret_keys=",".join(keys))
    assert run(runtime, "backup", folder).exit_code == 0
    assert (folder / "dkim_key.pem").read_bytes() == (tmp_path / "mail.pem").read_bytes()
    assert (folder / "secret_keys").read_text().splitlines() == list(keys)
    runtime.database.engine.dispose()


def test_neither_keys_nor_addresses_are_printed(either_runtime, run, folder):
    open_table(either_runtime)
    said = run(either_runtime, "backup", folder).output
    about = json.loads((folder / ABOUT).read_text())
    assert about["version"] in said
    secrets = [*either_runtime.settings.keys(), "example.org", either_runtime.settings.database]
    assert [secret for secret in secrets if secret in said or secret in str(about)] == []


def test_an_empty_folder_is_accepted(runtime, backed_up, tmp_path):
    (tmp_path / "backup").mkdir(mode=0o755)
    assert mode(backed_up(runtime)) == 0o700


@pytest.mark.parametrize("what", ["a folder with something in it", "an earlier backup", "a file"])
def test_a_backup_overwrites_nothing(runtime, run, folder, what):
    if what == "an earlier backup":
        run(runtime, "backup", folder)
    elif what == "a file":
        folder.write_text("mine")
    else:
        folder.mkdir()
        (folder / ".hidden").write_text("mine")
    before = sorted((path, path.stat().st_mtime_ns) for path in (folder, *folder.glob("*")))
    done = run(runtime, "backup", folder)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"{folder} is not empty. Name a folder that is, or that is not there yet.\n"
    assert sorted((path, path.stat().st_mtime_ns) for path in (folder, *folder.glob("*"))) == before
    assert list(folder.parent.glob("*unfinished*")) == []


def test_a_missing_database_is_reported_and_not_created(tmp_path, run, folder):
    runtime = make_runtime(tmp_path / "var")
    (tmp_path / "var" / "hearts.db").unlink()
    done = run(runtime, "backup", folder)
    assert done.exit_code == 1
    assert done.stderr == f"There is no database at {tmp_path / 'var' / 'hearts.db'} yet.\n"
    assert not folder.exists()
    assert not (tmp_path / "var" / "hearts.db").exists()


def test_a_damaged_database_is_reported_and_not_backed_up(runtime, run, folder):
    start_game(runtime)
    runtime.database.engine.dispose()
    file = Path(runtime.database.engine.url.database)
    content = bytearray(file.read_bytes())
    content[20000:40000] = bytes(20000)
    file.write_bytes(content)
    done = run(runtime, "backup", folder)
    assert done.exit_code == 1
    assert "The copy of the database" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not folder.exists()
    assert list(folder.parent.glob("*unfinished*")) == []


def test_a_killed_backup_leaves_nothing_and_the_next_one_is_complete(runtime, run, folder, elsewhere):
    with runtime.database.writing() as session:
        about = {"sender": "", "recipient": "r@example.org", "next_at": None, "received_at": runtime.now()}
        session.add_all(InboundRow(identity=str(number), raw=bytes(LARGE), **about) for number in range(8))
    killed = 0
    while killed < 3:
        _kill_a_backup(runtime, folder)
        if folder.exists():  # it was faster than the kill
            assert run(elsewhere(runtime), "restore", folder).exit_code == 0
            folder.rename(folder.with_name(f"whole-{len(list(folder.parent.iterdir()))}"))
        killed = len(unfinished(folder))
    for left in unfinished(folder):
        if not (left / ABOUT).exists():
            done = run(elsewhere(runtime), "restore", left)
            assert (done.exit_code, done.stderr) == (1, f"{left} is no whole backup: there is no {ABOUT} in it.\n")
    assert run(runtime, "backup", folder).exit_code == 0
    assert run(elsewhere(runtime), "restore", folder).exit_code == 0


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


@pytest.fixture
def on_postgres(tmp_path, postgres_url):
    """A service whose database has a password in its address."""
    address, _, rest = postgres_url.partition("@")
    assert address.count(":") <= 2
    runtime = make_runtime(tmp_path / "var", f"{address.removesuffix(':')}:hush-hush@{rest}")
    open_table(runtime, NAMES)
    yield runtime
    runtime.database.engine.dispose()


def test_no_program_gets_a_password_as_an_argument(on_postgres, run, folder, tmp_path, monkeypatch, elsewhere):
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("pg_dump", "pg_restore"):
        record = f'printf "%s\\n" "$PGPASSWORD" >>{tmp_path}/passwords; printf "%s\\n" "$@" >>{tmp_path}/arguments'
        (programs / name).write_text(f'#!/bin/sh\n{record}\nexec {POSTGRES_PROGRAMS / name} "$@"\n')
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    assert run(on_postgres, "backup", folder).exit_code == 0
    assert "hush-hush" in (tmp_path / "passwords").read_text()
    assert "hush-hush" not in (tmp_path / "arguments").read_text()
    assert "--format=custom" in (tmp_path / "arguments").read_text()


def test_without_pg_dump_the_command_says_so_and_makes_no_backup(on_postgres, run, folder, tmp_path, monkeypatch):
    (tmp_path / "no programs").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "no programs"))
    done = run(on_postgres, "backup", folder)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("pg_dump is not on the PATH.")
    assert done.stderr.count("\n") == 1
    assert not folder.exists()


def test_a_pg_dump_error_is_shown_without_the_password(tmp_path, run, folder):
    url = f"postgresql://hearts:hush-hush@127.0.0.1:{free_port()}/hearts"
    runtime = make_runtime(tmp_path / "var", url)
    done = run(runtime, "backup", folder)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("pg_dump has failed: connection to server at")
    assert done.stderr.count("\n") == 1
    assert "hush" not in done.stderr
    assert not folder.exists()
    assert list(folder.parent.glob("*unfinished*")) == []
