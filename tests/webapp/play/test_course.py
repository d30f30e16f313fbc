"""Changes of whom a game waits for that are no turns: what each leaves at the table, and whom it mails."""

from tests.cast import NAMES, PACE, letters, start_game
from webapp.games.clock import rest
from webapp.models import GameState, LetterKind, Stands
from webapp.outbox import about_tables
from webapp.play import course


def put_to_rest(table):
    with table.changing() as game:
        course.stop_clock(game, Stands.REST, rest.LASTS)


def test_a_rest_stops_the_clock_and_mails_each_player_once(runtime, table):
    put_to_rest(table)
    stored = table.stored
    assert (stored.table.pause.since, stored.row.due_at) == (runtime.now(), None)
    assert stored.row.wake_at == stored.table.pause.until == runtime.now() + rest.LASTS
    assert len(letters(runtime, LetterKind.RESTING)) == len(NAMES)


def test_to_go_on_after_a_rest_gives_a_full_time(runtime, table):
    put_to_rest(table)
    runtime.now.pass_by(5 * PACE)
    with table.changing() as game:
        course.start_clock(game)
    stored = table.stored
    assert stored.table.pause is None
    assert stored.row.due_at >= runtime.now() + PACE


def test_a_pause_that_changes_nothing_moves_no_deadline(runtime, table):
    before = table.stored
    runtime.now.pass_by(PACE / 2)
    with table.changing() as game:
        game.seats[0].wants_pause = True
        course.start_clock(game)
    after = table.stored
    assert (after.row.due_at, after.seats[0].wants_pause) == (before.row.due_at, False)


def test_a_closed_game_is_over_and_players_learn_why(runtime):
    table = start_game(runtime)
    put_to_rest(table)
    with table.changing() as game:
        course.close(game, about_tables.RESTED)
    assert table.row.state is GameState.OVER
    assert len(letters(runtime, LetterKind.ENDED)) == len(NAMES)
