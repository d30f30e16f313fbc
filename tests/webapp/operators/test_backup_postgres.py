"""Copies of a PostgreSQL database, made by PostgreSQL's own programs."""

import os

import pytest

from tests.cast import NAMES, dump, open_table
from tests.runtimes import make_runtime
from tests.servers import POSTGRES_PROGRAMS, free_port
from tests.webapp.operators.restores import refused


@pytest.fixture
def on_postgres(tmp_path, postgres_url):
    """A service whose database has a password in its address."""
    address, _, rest = postgres_url.partition("@")
    assert address.count(":") <= 2
    runtime = make_runtime(tmp_path / "var", f"{address.removesuffix(':')}:hush-hush@{rest}")
    open_table(runtime, NAMES)
    yield runtime
    runtime.database.engine.dispose()


def test_no_program_gets_a_password_as_an_argument(on_postgres, operate, folder, tmp_path, monkeypatch, elsewhere):
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("pg_dump", "pg_restore"):
        record = f'printf "%s\\n" "$PGPASSWORD" >>{tmp_path}/passwords; printf "%s\\n" "$@" >>{tmp_path}/arguments'
        (programs / name).write_text(f'#!/bin/sh\n{record}\nexec {POSTGRES_PROGRAMS / name} "$@"\n')
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    assert operate(on_postgres, "backup", folder).exit_code == 0
    assert "hush-hush" in (tmp_path / "passwords").read_text()
    assert "hush-hush" not in (tmp_path / "arguments").read_text()
    assert "--format=custom" in (tmp_path / "arguments").read_text()


def test_without_pg_dump_the_command_says_so_and_stops(on_postgres, operate, folder, tmp_path, monkeypatch):
    (tmp_path / "no programs").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "no programs"))
    done = operate(on_postgres, "backup", folder)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("pg_dump is not on the PATH.")
    assert done.stderr.count("\n") == 1
    assert not folder.exists()


def test_a_pg_dump_error_is_shown_without_the_password(tmp_path, operate, folder):
    url = f"postgresql://hearts:hush-hush@127.0.0.1:{free_port()}/hearts"
    runtime = make_runtime(tmp_path / "var", url)
    done = operate(runtime, "backup", folder)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("pg_dump has failed: connection to server at")
    assert done.stderr.count("\n") == 1
    assert "hush" not in done.stderr
    assert not folder.exists()
    assert list(folder.parent.glob("*unfinished*")) == []


def test_a_postgresql_database_with_a_table_is_not_overwritten(operate, tmp_path, postgres_url, elsewhere):
    full = make_runtime(tmp_path / "var", postgres_url)
    assert operate(full, "backup", tmp_path / "backup").exit_code == 0
    before = dump(full)
    assert "restore into an empty one" in refused(operate, full, tmp_path / "backup")
    assert dump(full) == before
    full.database.engine.dispose()
