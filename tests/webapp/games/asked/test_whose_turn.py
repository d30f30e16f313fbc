"""The cards that are played without asking, those left to their players, and what happens at the same moment."""

from datetime import timedelta

import pytest

from hearts.game import Stage, apply, legal, new_game
from hearts.robot import has_a_choice
from hearts.turns import Play
from hearts.view import view
from tests.cast import PACE, load, start_game
from tests.playing import pass_all, play_first
from tests.races import at_once, check_replays
from webapp.games.asked.whose_turn import SAME, awaited
from webapp.models import TurnSource
from webapp.play import due_games

pytestmark = pytest.mark.usefixtures("same_seed")


@pytest.mark.parametrize("pace", [PACE, timedelta(seconds=60)], ids=["slow", "live"])
def test_only_cards_of_equal_worth_are_played_without_asking(runtime, pace):
    game_id = start_game(runtime, pace=pace)
    pass_all(runtime, game_id)
    while not load(runtime, game_id).game.scores:
        stored = load(runtime, game_id)
        assert awaited(stored) == stored.game.to_act
        play_first(runtime, game_id)
    game, unasked = new_game(stored.game.rules), 0
    for turn, source, choice, *_ in load(runtime, game_id).of_hand(1):
        if isinstance(turn, Play) and source is not TurnSource.CLAIM:
            cards = legal(game, turn.seat)
            is_same = source is TurnSource.AS_WISHED
            assert has_a_choice(view(game, turn.seat)) is (source is TurnSource.PAGE)
            assert is_same is (len(cards) > 1 and source is not TurnSource.PAGE)
            assert not is_same or (choice.by, turn.card) == (SAME, min(cards))
            unasked += is_same
        game = apply(game, turn)
    assert unasked > 0


def test_cards_of_equal_worth_are_played_at_once(runtime):
    game_id = start_game(runtime)
    pass_all(runtime, game_id)
    while not load(runtime, game_id).game.scores:
        play_first(runtime, game_id)
    assert TurnSource.AS_WISHED in {record.source for record in load(runtime, game_id).records}


def test_a_game_survives_several_looks_after_a_deadline(either_runtime):
    for _ in range(3):
        game_id = start_game(either_runtime)
        pass_all(either_runtime, game_id)
        either_runtime.now.pass_by(PACE * 2)
        outcomes = at_once(*[lambda game_id=game_id: due_games.play_for_absent(either_runtime, game_id)] * 3)
        assert not [one for one in outcomes if isinstance(one, Exception)]
        check_replays(either_runtime, game_id)
        stored = load(either_runtime, game_id)
        assert awaited(stored) == stored.game.to_act
        assert stored.row.due_at is not None or stored.game.stage is Stage.OVER
