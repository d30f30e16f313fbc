"""Operators' acts are noted, with the operator's name, and shown to them; commands that only show something are not."""

from sqlmodel import update

from tests.cast import letters, load, open_table, start_game
from tests.webapp.noted import noted
from webapp.models import GameRow, LetterRow, LetterState, OperatorAct


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
    game_id = start_game(runtime)
    letter, bo = give_up(runtime), load(runtime, game_id).seats[1].player_id
    game, player = f"game {game_id}", f"player {bo}"
    stop_clock(runtime)
    typed = {
        OperatorAct.FIX: (("doctor", "--fix"), game),
        OperatorAct.PAUSE: (("games", "pause", game_id), game),
        OperatorAct.GO_ON: (("games", "pause", "--off", game_id), game),
        OperatorAct.SHOW_CARDS: (("games", "export", "--all", game_id), game),
        OperatorAct.RENAME: (("players", "rename", bo, "Bob"), player),
        OperatorAct.EXPORT: (("players", "export", bo, tmp_path / "bo.zip"), player),
        OperatorAct.RETRY: (("mail", "retry", letter), f"letter {letter}"),
        OperatorAct.HOLD: (("mail", "hold"), ""),
        OperatorAct.RESUME: (("mail", "resume"), ""),
        OperatorAct.END: (("games", "end", game_id, "--yes"), game),
        OperatorAct.FORGET: (("players", "forget", bo, "--yes"), player),
    }
    assert set(typed) == set(OperatorAct)
    for words, _ in typed.values():
        assert run(*words).exit_code == 0
    assert noted(runtime) == [(act, about) for act, (_, about) in typed.items()]


def test_commands_that_change_nothing_are_not_noted(runtime, run, tmp_path):
    game_id = start_game(runtime)
    (tmp_path / "there").touch()
    looking = [("games", "list"), ("games", "show", game_id), ("games", "export", game_id), ("players", "show", 1)]
    looking += [("mail", "queue"), ("stats",), ("doctor",), ("doctor", "--fix"), ("acts",)]
    refused = [("players", "rename", 1, "Bo"), ("players", "export", 1, tmp_path / "there"), ("mail", "resume")]
    for words in (*looking, *refused):
        run(*words)
    open_table(runtime)
    run("games", "end", game_id, "--yes")
    run("games", "end", game_id, "--yes")
    assert noted(runtime) == [(OperatorAct.END, f"game {game_id}")]
