"""The commands `games …`, as an operator types them."""

import pytest

from hearts.cards import card_text
from hearts.record import parse_record
from tests.cast import NAMES, PACE, dump, letters, load, start_game
from tests.playing import pass_all, play_first, play_hand
from tests.webapp.at_rest import put_to_rest
from webapp.models import GameState, LetterKind
from worker import postman


def test_a_list_of_games_names_table_number_and_deadline(runtime, run):
    assert run("games", "list").stdout == "0 games.\n"
    stored = load(runtime, start_game(runtime))
    line, end = run("games", "list").stdout.splitlines()
    assert line.split()[:5] == [str(stored.id), "Ann's", "table", "game", "1,"]
    assert f"playing, due {stored.row.due_at:%Y-%m-%d %H:%M} UTC" in line
    assert end == "1 game."


@pytest.mark.parametrize("named", ["by its number", "by its table"])
def test_a_game_is_shown_with_its_players_and_no_card(runtime, run, named):
    game_id = start_game(runtime)
    pass_all(runtime, game_id)
    before = dump(runtime)
    stored = load(runtime, game_id)
    shown = run("games", "show", game_id if named == "by its number" else stored.table.code.lower())
    assert shown.exit_code == 0
    assert f"hand 1, play: waits for {stored.names[stored.game.to_act[0]]} until" in shown.stdout
    for name in NAMES:
        assert name in shown.stdout
    for held in stored.game.held:
        assert not any(card_text(card) in shown.stdout.split() for card in held)
    assert dump(runtime) == before


@pytest.mark.parametrize("words", [("show",), ("pause",), ("end", "--yes"), ("export",)])
def test_a_game_that_is_not_there_is_one_sentence(run, words):
    done = run("games", *words, "99")
    assert (done.exit_code, done.stderr) == (1, "There is no game 99.\n")


def test_a_paused_game_has_no_deadline_until_it_goes_on(runtime, run):
    game_id = start_game(runtime)
    assert run("games", "pause", game_id).exit_code == 0
    assert load(runtime, game_id).row.due_at is None
    assert "paused, due -" in run("games", "list").stdout
    runtime.now.pass_by(3 * PACE)
    assert run("games", "pause", "--off", game_id).exit_code == 0
    assert load(runtime, game_id).row.due_at > runtime.now()


def test_a_resting_game_is_listed_as_resting(runtime, run):
    game_id = start_game(runtime)
    put_to_rest(runtime, game_id)
    assert "resting, due -" in run("games", "list").stdout


def test_operators_ending_a_game_say_that_the_host_did_not(runtime, run):
    game_id = start_game(runtime)
    assert run("games", "end", game_id, input="n\n").exit_code == 1
    assert load(runtime, game_id).row.state is GameState.PLAYING
    assert run("games", "end", game_id, "--yes").exit_code == 0
    assert load(runtime, game_id).row.state is GameState.OVER
    postman.deliver(runtime)
    told = letters(runtime, LetterKind.ENDED)
    assert len(told) == 4
    assert all(letter.subject.startswith("We have ended") for letter in told)
    assert all("The people who run Hearts by Mail" in letter.message for letter in told)
    assert run("games", "pause", game_id).stderr == "No game is played at this table just now.\n"


def test_a_record_holds_finished_hands_unless_all_are_asked_for(runtime, run):
    game_id = start_game(runtime)
    play_hand(runtime, game_id)
    play_first(runtime, game_id)
    finished = run("games", "export", game_id)
    assert len(parse_record(finished.stdout).hands) == 1
    assert finished.stderr == ""
    everything = run("games", "export", game_id, "--all")
    assert len(parse_record(everything.stdout).hands) == 2
    assert everything.stderr == "This record shows the cards of a hand in play. Keep it from its players.\n"
