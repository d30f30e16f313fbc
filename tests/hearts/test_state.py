"""The state of a game: what follows from it, and its copies."""

import random

import pytest

from hearts.game import new_game
from hearts.rules import preset_rules
from tests.hearts.builders import random_games, rules_of


def test_a_new_game_waits_for_a_deal():
    game = new_game(rules_of(partnership=True))
    assert (game.stage, game.to_act, game.hand, game.trick) == ("deal", (), 0, 0)
    assert (game.totals, game.winners, game.scores) == ((0, 0), (), ())


def games_of(rules, hands=2):
    return [after for *_, after in random_games(rules, random.Random(5), hands)]


@pytest.mark.parametrize("options", [{"passing": "left"}, {"preset": "partners"}, {"moon": "choice", "players": 3}])
def test_a_copy_is_the_same_game_with_the_same_hash(options):
    for game in games_of(rules_of(**options)):
        copied = game.copy()
        assert copied is not game
        assert copied == game
        assert hash(copied) == hash(game)


def test_the_last_trick_keeps_its_number_until_the_next_deal():
    numbers = [(game.trick, game.all_played) for game in games_of(rules_of(), hands=1)]
    assert numbers[0] == (1, False)
    assert numbers[-1] == (13, True)
    assert [trick for trick, _ in numbers] == sorted(trick for trick, _ in numbers)


def test_the_leader_of_a_cancelled_trick_leads_the_next():
    game = games_of(preset_rules("cancellation", players=11, passing="none"), hands=3)[-1]
    leaders = [(before.leader if before.winner is None else before.winner) for before in game.tricks[:-1]]
    assert [after.leader for after in game.tricks[1:]] == leaders
    assert None in game.won
