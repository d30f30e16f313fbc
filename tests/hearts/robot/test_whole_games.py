"""The robot plays whole games of every preset at every table size, and never breaks a rule."""

import random
from collections.abc import Callable

import pytest

from hearts.deal import deal, dealer_after
from hearts.game import Game, Stage, apply, new_game
from hearts.robot import choose, consider
from hearts.rules import PRESETS, Preset, preset_rules
from hearts.seats import Seat
from hearts.turns import Turn
from hearts.view import View, view

Player = Callable[[View, random.Random], Turn]
TABLES = [(preset, players) for preset, line in PRESETS.items() for players in line.players]


def play_on(game: Game, rng: random.Random, player: Player = choose) -> Game:
    """The game after the next turn of the first awaited seat."""
    if game.stage is Stage.DEAL:
        dealer = dealer_after(game.deal.dealer, game.rules) if game.deal else Seat(0)
        return apply(game, deal(game.rules, dealer, rng))
    return apply(game, player(view(game, game.to_act[0]), rng))


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_the_robot_finishes_a_game(preset: Preset, players: int):
    rng = random.Random(players)
    game = new_game(preset_rules(preset, players=players, target=30, moon="choice"))
    while game.stage is not Stage.OVER:
        game = play_on(game, rng)
    assert game.winners


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_a_search_finishes_a_hand(preset: Preset, players: int):
    rng = random.Random(players)
    game = new_game(preset_rules(preset, players=players))
    while not game.scores:
        game = play_on(game, rng, lambda seen, rng: consider(seen, playouts=64, seed=rng.getrandbits(30)).turn)
    assert sum(game.scores[0].tricks_won) > 0
