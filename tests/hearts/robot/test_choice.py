"""How many roll-outs a choice takes by default."""

import pytest

from hearts.game import Stage
from hearts.robot import PLAYOUTS, Level, consider
from hearts.view import view
from tests.samples.games import CLASSIC, games


@pytest.mark.parametrize("stage", [Stage.PASS, Stage.PLAY])
def test_only_a_pass_gets_fewer_roll_outs_in_a_hurry(stage: Stage):
    game = next(game for game in games(CLASSIC, seed=5) if game.stage is stage)
    seen = view(game, game.to_act[0])
    at_leisure, hurried = (consider(seen, level=Level.STEADY, seed=1, hurried=hurried) for hurried in (False, True))
    if stage is Stage.PASS:
        assert hurried.playouts <= PLAYOUTS[Level.STEADY] < at_leisure.playouts
    else:
        assert hurried == at_leisure


def test_a_hurried_choice_can_be_reproduced_from_its_roll_outs():
    game = next(game for game in games(CLASSIC, seed=5) if game.stage is Stage.PASS)
    seen = view(game, game.to_act[0])
    hurried = consider(seen, level=Level.STEADY, seed=1, hurried=True)
    assert consider(seen, level=Level.STEADY, seed=1, playouts=hurried.playouts) == hurried


def test_a_hurried_pass_is_chosen_once_little_can_be_gained():
    game = next(game for game in games(CLASSIC, seed=5) if game.stage is Stage.PASS)
    seen = view(game, game.to_act[0])
    used = [consider(seen, playouts=PLAYOUTS[Level.STRONG], seed=1, hurried=it).playouts for it in (False, True)]
    assert used[1] < 0.9 * used[0]
