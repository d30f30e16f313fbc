"""The consequences of a turn that need no answer: deadlines, score sheets, the end of the game."""

from datetime import timedelta

from hearts.game import Stage
from tests.cast import NAMES, PACE, letters, start_game, table_row
from tests.playing import QUICK
from webapp.models import GameState, LetterKind, TableState


def test_passing_does_not_move_the_deadline_of_the_others(runtime):
    table = start_game(runtime)
    due_at = table.due_at
    runtime.now.pass_by(timedelta(hours=5))
    table.pass_lowest(0)
    assert table.due_at == due_at


def test_each_card_has_its_own_deadline(runtime):
    table = start_game(runtime)
    table.pass_all()
    runtime.now.pass_by(timedelta(hours=5))
    table.play_first()
    assert table.due_at == runtime.now() + PACE


def test_each_hand_sends_a_sheet_and_the_last_the_final(runtime):
    table = start_game(runtime, NAMES[:2], robots=2, rules=QUICK)
    while table.game.stage is not Stage.OVER:
        table.play_hand()
    stored = table.stored
    hands = range(1, len(stored.game.scores))
    sheets = [(letter.seat, letter.hand) for letter in letters(runtime, LetterKind.SCORE_SHEET)]
    assert sorted(sheets) == [(seat, hand) for seat in (0, 1) for hand in hands]
    assert [letter.seat for letter in letters(runtime, LetterKind.FINAL_SHEET)] == [0, 1]
    assert stored.row.state is GameState.OVER
    assert (stored.row.due_at, stored.row.wake_at) == (None, None)
    assert table_row(runtime, stored.row.table_id).state is TableState.OVER
