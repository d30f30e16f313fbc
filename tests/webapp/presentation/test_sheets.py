"""Sheets of a stored game."""

from tests.samples.cast import CAST
from tests.samples.finished import stored_game
from tests.samples.games import CLASSIC
from webapp.games.record.finished import finished_hand
from webapp.presentation.sheets import score_sheet_of


def test_a_score_sheet_tells_only_of_finished_hands() -> None:
    game = stored_game(CLASSIC, CAST)
    sheet = score_sheet_of(game, hands=2)
    assert len(sheet.hands) == 2
    assert sheet.hands == score_sheet_of(game).hands[:2]
    assert finished_hand(game, 3).score.number == 3
