"""The command `hearts-by-mail`: where it looks for data, what it makes, and what it says of a damaged database."""

import re
import sys

import pytest
from hearts_by_mail.main import main

from tests.cast import start_game
from tests.runtimes import make_runtime


@pytest.fixture
def give(monkeypatch, tmp_path, capsys):
    """Gives a command in an empty folder; returns its status and what it printed."""

    def given(*words, **settings):
        for name in ("DATA_DIR", "DATABASE_URL"):
            monkeypatch.delenv(name, raising=False)
        for name, value in settings.items():
            monkeypatch.setenv(name, str(value))
        (tmp_path / "here").mkdir(exist_ok=True)
        monkeypatch.chdir(tmp_path / "here")
        monkeypatch.setattr(sys, "argv", ["hearts-by-mail", *words])
        with pytest.raises(SystemExit) as ending:
            main()
        said = capsys.readouterr()
        if isinstance(ending.value.code, str):  # Python prints it, and ends with status 1
            return 1, said.out + ending.value.code
        return ending.value.code, said.out + said.err

    return given


@pytest.mark.parametrize("words", ["stats", "doctor", "mail queue", "games list", "backup x", "web", "worker"])
def test_a_command_in_a_wrong_folder_says_where_it_looked(give, words, tmp_path):
    status, said = give(*words.split())
    here = tmp_path / "here"
    assert status == 2
    assert said.startswith(f"There is no database {here / 'var' / 'hearts.db'}, where DATA_DIR leads")
    assert list(here.iterdir()) == []


def test_a_database_that_a_setting_names_is_not_made(give, tmp_path):
    file = tmp_path / "other.db"
    status, said = give("stats", DATABASE_URL=f"sqlite:///{file}")
    assert (status, said.startswith(f"There is no database {file}, where DATABASE_URL leads")) == (2, True)
    assert not file.exists()


def test_a_command_that_makes_a_database_runs_anywhere(give, tmp_path):
    assert give("migrate") == (0, "")
    assert (tmp_path / "here" / "var" / "hearts.db").exists()


@pytest.mark.parametrize("words", ["--help", "--version", "mail --help", "recipes"])
def test_what_only_prints_makes_no_folder(give, words, tmp_path):
    status, said = give(*words.split())
    assert (status, bool(said)) == (0, True)
    assert list((tmp_path / "here").iterdir()) == []


def test_the_help_lists_all_commands_whatever_the_settings(give):
    status, said = give("--help", HOST="0.0.0.0")
    listed = re.findall(r"^  (\w+) ", said, re.MULTILINE)
    assert {"run", "host", "web", "migrate", "doctor", "mail"} <= set(listed)
    assert status == 0


@pytest.mark.parametrize(
    ("begins_at", "commands"),
    [
        pytest.param(0, ("migrate", "doctor", "stats", "backup x"), id="its beginning"),
        pytest.param(4096, ("doctor", "stats", "backup x"), id="its pages"),
    ],
)
def test_a_damaged_database_names_its_file_and_the_way_out(give, tmp_path, begins_at, commands):
    runtime = make_runtime(tmp_path / "used")
    start_game(runtime)
    runtime.database.engine.dispose()
    folder = runtime.settings.data_dir
    with (folder / "hearts.db").open("r+b") as file:
        file.seek(begins_at)
        file.write(b"Dear Ann, how are you? " * 2000)
    for words in commands:
        status, said = give(*words.split(), DATA_DIR=folder)
        assert status in (1, 2), words
        assert f"{folder / 'hearts.db'} is damaged (" in said, words
        assert "Move it away" in said, words
        assert "hearts-by-mail restore FOLDER" in said
