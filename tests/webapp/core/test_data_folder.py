"""The data directory: only the user of the service can read what we keep there."""

import os
import stat
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import characters, text

from tests.cast import start_game
from tests.runtimes import make_runtime
from webapp.core import data_folder
from webapp.core.bell import broker_client
from webapp.core.config import read_settings
from webapp.core.data_folder import make_file, prepare
from webapp.core.database import Database
from webapp.core.runtime import Runtime


@pytest.fixture(autouse=True)
def _usual_umask():
    """The usual umask, under which others may read new files."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> list[str]:
    """The files in a folder that others may read."""
    paths = [folder, *folder.rglob("*")]
    return [str(path) for path in paths if stat.S_IMODE(path.stat().st_mode) != (0o700 if path.is_dir() else 0o600)]


def test_only_its_own_user_can_read_what_the_service_creates(tmp_path):
    folder = tmp_path / "deep" / "var"
    runtime = Runtime.for_settings(read_settings(data_dir=folder))
    runtime.settings.keys()
    runtime.settings.push_key()
    with runtime.database.writing() as session:
        session.connection().exec_driver_sql("CREATE TABLE x (y INTEGER)")
    with broker_client(runtime.settings).connection() as line, closing(line.SimpleQueue("any")) as queue:
        queue.put("look")
    made = {path.name for path in folder.iterdir()} | {path.suffix for path in folder.rglob("broker/*/*")}
    assert made >= {"hearts.db", "hearts.db-wal", "hearts.db-shm", "hearts.db.lock", "secret_keys", "vapid_key.pem"}
    assert made >= {".exchange", ".msg"}
    assert open_to_others(folder) == []
    runtime.database.engine.dispose()


def test_the_start_closes_what_an_earlier_version_left_open(tmp_path):
    runtime = make_runtime(tmp_path / "var")
    start_game(runtime)
    runtime.bell.deliver()
    for path in [tmp_path / "var", *(tmp_path / "var").rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    Runtime.for_settings(runtime.settings)
    assert open_to_others(tmp_path / "var") == []
    runtime.database.engine.dispose()


def test_a_directory_with_other_contents_keeps_its_mode(tmp_path, caplog):
    tmp_path.chmod(0o755)
    (tmp_path / "hearts.db").touch(0o644)
    (tmp_path / "letters").mkdir(0o755)
    prepare(tmp_path)
    assert open_to_others(tmp_path) == [str(tmp_path), str(tmp_path / "letters")]
    assert "DATA_DIR holds other things" in caplog.text


def test_a_directory_that_is_a_mount_point_is_closed(tmp_path):
    tmp_path.chmod(0o755)
    (tmp_path / "lost+found").mkdir(0o700)
    prepare(tmp_path)
    assert open_to_others(tmp_path) == []


def test_the_target_of_a_symbolic_link_keeps_its_mode(tmp_path):
    elsewhere = tmp_path / "elsewhere.db"
    elsewhere.touch(0o644)
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "hearts.db").symlink_to(elsewhere)
    prepare(tmp_path / "var")
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o644


def test_a_new_database_elsewhere_is_private_in_an_unchanged_directory(tmp_path):
    tmp_path.chmod(0o755)
    database = Database.at(f"sqlite:///{tmp_path / 'games.db'}")
    with database.writing() as session:
        session.connection().exec_driver_sql("CREATE TABLE x (y INTEGER)")
    assert open_to_others(tmp_path) == [str(tmp_path)]
    database.engine.dispose()


def test_a_database_elsewhere_that_its_owner_shared_stays_shared(tmp_path):
    file = tmp_path / "games.db"
    file.touch()
    file.chmod(0o660)
    runtime = Runtime.for_settings(read_settings(data_dir=tmp_path / "var", database_url=f"sqlite:///{file}"))
    with runtime.database.reading():
        pass
    assert stat.S_IMODE(file.stat().st_mode) == 0o660
    runtime.database.engine.dispose()


def test_an_existing_file_keeps_its_mode(tmp_path):
    (tmp_path / "a").write_text("first")
    make_file(tmp_path / "a", "second")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_text() == "first"


TEXTS = text(characters(min_codepoint=32, exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1)


@pytest.fixture(autouse=True)
def empty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forgets what a test has loaded."""
    monkeypatch.setattr(os, "environ", dict(os.environ))


@given(TEXTS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_value_comes_back_as_it_was_written(tmp_path: Path, value: str) -> None:
    os.environ.pop("INBOX_PASSWORD", None)
    (tmp_path / data_folder.NAME).write_text(data_folder.file_content({"INBOX_PASSWORD": value}), encoding="utf-8")
    data_folder.load(tmp_path)
    assert os.environ["INBOX_PASSWORD"] == value


def test_the_environment_outranks_the_file(tmp_path: Path) -> None:
    (tmp_path / data_folder.NAME).write_text("PORT='8001'\nHOST='127.0.0.1'\n")
    os.environ.update(PORT="8002", HOST="")
    data_folder.load(tmp_path)
    assert (os.environ["PORT"], os.environ["HOST"]) == ("8002", "127.0.0.1")


def test_without_a_file_nothing_is_set(tmp_path: Path) -> None:
    before = dict(os.environ)
    data_folder.load(tmp_path)
    assert os.environ == before
