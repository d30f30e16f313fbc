"""The archive of the records of games that are over."""

import json

from tests.cast import PACE, load, play_hand, start_game


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
