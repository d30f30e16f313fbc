"""The commands `players …`, as an operator types them."""

from tests.cast import load, play_hand, start_game


def test_a_player_is_shown_by_number_and_by_address(runtime, run):
    start_game(runtime)
    shown = run("players", "show", "Bo@example.org")
    assert shown.stdout.splitlines()[0].endswith("Bo <bo@example.org>  UTC")
    assert "seat 1 (accepted) as Bo" in shown.stdout
    assert run("players", "show", shown.stdout.split()[0]).stdout == shown.stdout
    assert run("players", "show", "eve@example.org").stderr == "There is no such player.\n"


def test_a_renamed_player_has_the_name_at_the_table_and_in_earlier_hands(runtime, run):
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
