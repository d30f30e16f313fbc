"""The commands of an operator: acts, data, doctor and stats, games, players."""

import zipfile

import pytest
from sqlmodel import update

from hearts.cards import card_text
from hearts.record import parse_record
from tests.cast import NAMES, PACE, dump, letters, open_table, start_game
from tests.webapp.at_rest import put_to_rest
from tests.webapp.noted import noted
from webapp.models import GameRow, GameState, LetterKind, LetterRow, LetterState, OperatorAct, TurnSource
from worker import postman


def give_up(runtime):
    """The relay has refused a letter for good. Returns its number."""
    number = letters(runtime)[0].id
    with runtime.database.writing() as session:
        session.get_one(LetterRow, number).state = LetterState.FAILED
    return number


def stop_clock(runtime):
    with runtime.database.writing() as session:
        session.exec(update(GameRow).values(due_at=None, wake_at=None))


def test_every_act_is_noted_with_the_number_it_concerns(runtime, run, tmp_path):
    table = start_game(runtime)
    letter, bo = give_up(runtime), table.seats[1].player_id
    game, player = f"game {table.game_id}", f"player {bo}"
    stop_clock(runtime)
    typed = {
        OperatorAct.FIX: (("doctor", "--fix"), game),
        OperatorAct.PAUSE: (("games", "pause", table.game_id), game),
        OperatorAct.GO_ON: (("games", "pause", "--off", table.game_id), game),
        OperatorAct.SHOW_CARDS: (("games", "export", "--all", table.game_id), game),
        OperatorAct.RENAME: (("players", "rename", bo, "Bob"), player),
        OperatorAct.EXPORT: (("players", "export", bo, tmp_path / "bo.zip"), player),
        OperatorAct.RETRY: (("mail", "retry", letter), f"letter {letter}"),
        OperatorAct.HOLD: (("mail", "hold"), ""),
        OperatorAct.RESUME: (("mail", "resume"), ""),
        OperatorAct.END: (("games", "end", table.game_id, "--yes"), game),
        OperatorAct.FORGET: (("players", "forget", bo, "--yes"), player),
    }
    assert set(typed) == set(OperatorAct)
    for words, _ in typed.values():
        assert run(*words).exit_code == 0
    assert noted(runtime) == [(act, about) for act, (_, about) in typed.items()]


def test_commands_that_change_nothing_are_not_noted(runtime, run, tmp_path):
    table = start_game(runtime)
    (tmp_path / "there").touch()
    looking = [
        ("games", "list"),
        ("games", "show", table.game_id),
        ("games", "export", table.game_id),
        ("players", "show", 1),
    ]
    looking += [("mail", "queue"), ("stats",), ("doctor",), ("doctor", "--fix"), ("acts",)]
    refused = [("players", "rename", 1, "Bo"), ("players", "export", 1, tmp_path / "there"), ("mail", "resume")]
    for words in (*looking, *refused):
        run(*words)
    open_table(runtime)
    run("games", "end", table.game_id, "--yes")
    run("games", "end", table.game_id, "--yes")
    assert noted(runtime) == [(OperatorAct.END, f"game {table.game_id}")]


def test_the_command_upgrades_the_database(run):
    assert run("migrate").exit_code == 0


def test_the_doctor_ends_with_status_one_if_something_is_wrong(runtime, run):
    start_game(runtime)
    postman.deliver(runtime)
    healthy = run("doctor")
    assert healthy.exit_code == 0
    assert {line.split()[0] for line in healthy.stdout.splitlines()} == {"ok"}
    run("mail", "hold")
    ill = run("doctor")
    assert ill.exit_code == 1
    assert "missing   sending: an operator holds it" in ill.stdout


def test_the_figures_say_how_much_is_going_on(runtime, run):
    start_game(runtime).play_first(TurnSource.REPLY)
    said = {
        name.strip(): int(number) for number, name in (line.split(None, 1) for line in run("stats").stdout.splitlines())
    }
    assert (said["players"], said["games being played"], said["turns within a day"]) == (4, 1, 2)
    assert (said["of these turns: forced"], said["of these turns: reply"]) == (1, 1)
    assert any(name.startswith("waiting: letters, the oldest for") for name in said)


def test_a_list_of_games_names_table_number_and_deadline(runtime, run):
    assert run("games", "list").stdout == "0 games.\n"
    stored = start_game(runtime).stored
    line, end = run("games", "list").stdout.splitlines()
    assert line.split()[:5] == [str(stored.id), "Ann's", "table", "game", "1,"]
    assert f"playing, due {stored.row.due_at:%Y-%m-%d %H:%M} UTC" in line
    assert end == "1 game."


@pytest.mark.parametrize("named", ["by its number", "by its table"])
def test_a_game_is_shown_with_its_players_and_no_card(runtime, run, named):
    table = start_game(runtime)
    table.pass_all()
    before = dump(runtime)
    stored = table.stored
    shown = run("games", "show", table.game_id if named == "by its number" else stored.table.code.lower())
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
    table = start_game(runtime)
    assert run("games", "pause", table.game_id).exit_code == 0
    assert table.due_at is None
    assert "paused, due -" in run("games", "list").stdout
    runtime.now.pass_by(3 * PACE)
    assert run("games", "pause", "--off", table.game_id).exit_code == 0
    assert table.due_at > runtime.now()


def test_a_resting_game_is_listed_as_paused(runtime, run):
    table = start_game(runtime)
    put_to_rest(table)
    assert "paused, due -" in run("games", "list").stdout


def test_operators_ending_a_game_say_that_the_host_did_not(runtime, run):
    table = start_game(runtime)
    assert run("games", "end", table.game_id, input="n\n").exit_code == 1
    assert table.row.state is GameState.PLAYING
    assert run("games", "end", table.game_id, "--yes").exit_code == 0
    assert table.row.state is GameState.OVER
    postman.deliver(runtime)
    told = letters(runtime, LetterKind.ENDED)
    assert len(told) == 4
    assert all(letter.subject.startswith("We have ended") for letter in told)
    assert all("The people who run Hearts by Mail" in letter.message for letter in told)
    assert run("games", "pause", table.game_id).stderr == "No game is played at this table just now.\n"


def test_a_record_holds_finished_hands_unless_all_are_asked_for(runtime, run):
    table = start_game(runtime)
    table.play_hand()
    table.play_first()
    finished = run("games", "export", table.game_id)
    assert len(parse_record(finished.stdout).hands) == 1
    assert finished.stderr == ""
    everything = run("games", "export", table.game_id, "--all")
    assert len(parse_record(everything.stdout).hands) == 2
    assert everything.stderr == "This record shows the cards of a hand in play. Keep it from its players.\n"


def test_a_player_is_shown_by_number_and_by_address(runtime, run):
    start_game(runtime)
    shown = run("players", "show", "Bo@example.org")
    assert shown.stdout.splitlines()[0].endswith("Bo <bo@example.org>  UTC  en")
    assert "seat 1 (accepted) as Bo" in shown.stdout
    assert run("players", "show", shown.stdout.split()[0]).stdout == shown.stdout
    assert run("players", "show", "eve@example.org").stderr == "There is no such player.\n"


def test_a_renamed_player_has_the_new_name_in_earlier_hands(runtime, run):
    table = start_game(runtime)
    table.play_hand()
    assert run("players", "rename", "bo@example.org", "Bobby").exit_code == 0
    stored = table.stored
    assert stored.names == stored.names_of_hand(1) == ["Ann", "Bobby", "Cy", "Di"]
    assert "Bobby <bo@example.org>" in run("players", "show", "bo@example.org").stdout


def test_a_name_that_is_taken_or_no_name_is_refused(runtime, run):
    table = start_game(runtime)
    for name in ("ann", "www.example.org", " "):
        done = run("players", "rename", "bo@example.org", name)
        assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert table.stored.names[1] == "Bo"


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
