"""The archive of the records of games that are over."""

import json
from datetime import timedelta

import pytest

from hearts.robot import Level
from tests.cast import PACE, load, start_game
from tests.due_games import make_due_games
from tests.playing import play_hand
from tests.webapp.changing import change
from webapp.games.record import archive
from webapp.models import GameRow, GameState


def test_old_games_are_archived_once(runtime, run, tmp_path):
    game_id = start_game(runtime)
    play_hand(runtime, game_id)
    run("games", "end", game_id, "--yes")
    folder = tmp_path / "records"
    assert run("games", "export", "--archive", folder).stdout == f"0 records written to {folder}.\n"
    runtime.now.pass_by(91 * PACE)
    assert run("games", "export", "--archive", folder).stdout == f"1 record written to {folder}.\n"
    (file,) = folder.iterdir()
    assert file.name == f"{load(runtime, game_id).table.code}-1.json"
    assert len(json.loads(file.read_text())["hands"]) == 1
    assert run("games", "export", "--archive", folder).stdout == f"0 records written to {folder}.\n"


@pytest.fixture
def ended(runtime):
    """Three games that ended two days, a day and an hour ago, and one that goes on."""
    make_due_games(runtime, 4, Level.RULE)
    for game_id, hours in ((1, 48), (2, 24), (3, 1)):
        change(runtime, GameRow, game_id, state=GameState.OVER, ended_at=runtime.now() - timedelta(hours=hours))


def written(runtime, folder):
    """The names of the files after the games that ended more than a day ago were archived."""
    archive.write(runtime, folder, runtime.now() - timedelta(days=1))
    return sorted(file.name for file in folder.glob("*.json"))


def test_only_games_that_ended_before_that_moment_are_archived(runtime, ended, tmp_path):
    assert written(runtime, tmp_path) == ["00001-1.json"]
    runtime.now.pass_by(timedelta(days=9))
    assert written(runtime, tmp_path) == [f"0000{number}-1.json" for number in (1, 2, 3)]


def test_an_existing_file_is_kept_and_a_new_one_private(runtime, ended, tmp_path):
    there = tmp_path / "00001-1.json"
    there.write_text("mine")
    runtime.now.pass_by(timedelta(hours=1))
    assert written(runtime, tmp_path) == [there.name, "00002-1.json"]
    assert there.read_text() == "mine"
    assert (tmp_path / "00002-1.json").stat().st_mode & 0o777 == 0o600


def test_a_folder_that_cannot_exist_is_a_system_error(runtime, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        archive.write(runtime, tmp_path / "file", runtime.now())
