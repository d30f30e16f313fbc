"""The chances of cards: players' deals beside what chance gives."""

import pytest

from tests.samples.cast import CAST
from tests.samples.finished import stored_game
from tests.samples.games import CLASSIC
from webapp.games.fair import Range, dealt_at_table


@pytest.fixture(scope="module")
def game():
    return stored_game(CLASSIC, CAST)


def test_queens_and_points_are_those_of_the_deals(game):
    found = dealt_at_table([game, game])
    hands = 2 * len(game.game.scores)
    assert [(one.name, one.hands) for one in found] == [(name, hands) for name in CAST]
    assert sum(one.queens.found for one in found) == hands
    assert sum(one.points.found for one in found) == pytest.approx(26)


def test_the_range_is_that_of_chance(game):
    (one, *_), hands = dealt_at_table([game]), len(game.game.scores)
    assert (one.queens.least + one.queens.most) / 2 == pytest.approx(hands / 4, abs=one.queens.most - hands / 4)
    assert one.points.least < 6.5 < one.points.most
    assert one.queens.most == pytest.approx(hands / 4 + 2 * (hands * 3 / 16) ** 0.5)


@pytest.mark.parametrize(("found", "is_usual"), [(3, True), (2, True), (1, False), (5, False)])
def test_a_number_within_the_range_is_usual(found, is_usual):
    assert Range(found, 2, 4).is_usual is is_usual
