"""The commands `players …`, as an operator types them."""

import zipfile

from tests.cast import load, start_game
from tests.playing import play_hand


def test_a_player_is_shown_by_number_and_by_address(runtime, run):
    start_game(runtime)
    shown = run("players", "show", "Bo@example.org")
    assert shown.stdout.splitlines()[0].endswith("Bo <bo@example.org>  UTC")
    assert "seat 1 (accepted) as Bo" in shown.stdout
    assert run("players", "show", shown.stdout.split()[0]).stdout == shown.stdout
    assert run("players", "show", "eve@example.org").stderr == "There is no such player.\n"


def test_a_renamed_player_has_the_new_name_in_earlier_hands(runtime, run):
    game_id = start_game(runtime)
    play_hand(runtime, game_id)
    assert run("players", "rename", "bo@example.org", "Bobby").exit_code == 0
    stored = load(runtime, game_id)
    assert stored.names == stored.names_of_hand(1) == ["Ann", "Bobby", "Cy", "Di"]
    assert "Bobby <bo@example.org>" in run("players", "show", "bo@example.org").stdout


def test_a_name_that_is_taken_or_no_name_is_refused(runtime, run):
    game_id = start_game(runtime)
    for name in ("ann", "www.example.org", " "):
        done = run("players", "rename", "bo@example.org", name)
        assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert load(runtime, game_id).names[1] == "Bo"


def test_a_file_with_all_that_is_theirs_is_written_once(runtime, run, tmp_path):
    start_game(runtime)
    file = tmp_path / "bo.zip"
    assert run("players", "export", "bo@example.org", file).exit_code == 0
    assert file.stat().st_mode & 0o077 == 0
    with zipfile.ZipFile(file) as archive:
        assert b"bo@example.org" in archive.read("data.json")
    assert run("players", "export", "bo@example.org", file).stderr.endswith("cannot be written: File exists\n")


def test_a_player_is_forgotten_only_after_a_yes(runtime, run):
    start_game(runtime)
    assert run("players", "forget", "bo@example.org", input="n\n").exit_code == 1
    assert run("players", "show", "bo@example.org").exit_code == 0
    assert run("players", "forget", "bo@example.org", "--yes").stdout == "Forgotten.\n"
    assert run("players", "show", "bo@example.org").exit_code == 1
