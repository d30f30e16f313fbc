"""Copies of an SQLite database: what is no database is not copied, and none is overwritten."""

from pathlib import Path

import pytest

from tests.cast import start_game
from tests.runtimes import make_runtime
from tests.webapp.operators.restores import refused
from webapp.operators.backup_contents import BackupError
from webapp.operators.backup_sqlite import file_of


def test_a_missing_database_is_reported_and_not_created(tmp_path, operate, folder):
    runtime = make_runtime(tmp_path / "var")
    (tmp_path / "var" / "hearts.db").unlink()
    done = operate(runtime, "backup", folder)
    assert done.exit_code == 1
    assert done.stderr == f"There is no database at {tmp_path / 'var' / 'hearts.db'} yet.\n"
    assert not folder.exists()
    assert not (tmp_path / "var" / "hearts.db").exists()


def test_a_damaged_database_is_reported_and_not_backed_up(runtime, operate, folder):
    start_game(runtime)
    runtime.database.engine.dispose()
    file = Path(runtime.database.engine.url.database)
    content = bytearray(file.read_bytes())
    content[-80000:-60000] = bytes(20000)
    file.write_bytes(content)
    done = operate(runtime, "backup", folder)
    assert done.exit_code == 1
    assert "damaged" in done.stderr or "cannot be read" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not folder.exists()
    assert list(folder.parent.glob("*unfinished*")) == []


@pytest.mark.parametrize("ending", ["", "-wal", "-journal"])
def test_a_sqlite_database_or_its_remains_are_not_overwritten(operate, made, elsewhere, runtime, ending):
    other = elsewhere(runtime)
    (other.settings.data_dir / f"hearts.db{ending}").write_bytes(b"")
    assert "There is a database already, or a part of one" in refused(operate, other, made)


@pytest.mark.parametrize(
    ("url", "file"),
    [
        pytest.param("sqlite:////var/hearts/hearts.db", "/var/hearts/hearts.db", id="an absolute path"),
        pytest.param("sqlite:///hearts.db", "hearts.db", id="a path from here"),
        pytest.param("sqlite:////var/hearts.db?timeout=5", "/var/hearts.db", id="with an option"),
    ],
)
def test_the_address_names_the_file(url, file):
    assert file_of(url) == Path(file)


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:"])
def test_a_database_in_memory_has_no_file(url):
    with pytest.raises(BackupError, match="in memory only"):
        file_of(url)
