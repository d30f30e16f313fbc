"""A finished hand: all of it once it is scored, and nothing before."""

import pytest

from hearts.turns import Deal
from tests.samples.cast import CAST
from tests.samples.finished import stored_game
from tests.samples.games import CLASSIC
from webapp.games.record.finished import HandNotScored, finished_hand


@pytest.fixture(scope="module")
def game():
    return stored_game(CLASSIC, CAST)


def test_a_finished_hand_goes_from_its_deal_to_its_score(game):
    for number, score in enumerate(game.game.scores, 1):
        hand = finished_hand(game, number)
        assert [isinstance(one.turn, Deal) for one in hand.records] == [True] + [False] * (len(hand.records) - 1)
        assert (hand.number, hand.score, hand.rules, tuple(hand.names)) == (number, score, CLASSIC, CAST)
        assert len(hand.games) == len(hand.records)
        assert hand.before.totals == (game.game.scores[number - 2].totals if number > 1 else (0,) * 4)


def test_a_hand_that_is_not_scored_is_not_shown(game):
    with pytest.raises(HandNotScored):
        finished_hand(game, len(game.game.scores) + 1)


@pytest.mark.parametrize("number", [0, -1])
def test_hands_count_from_one(game, number):
    with pytest.raises(LookupError):
        finished_hand(game, number)
