"""A seat passes from a player to another between hands, and nobody sees a hand of which somebody else held cards."""

import pytest

from tests.cast import load, play_first, start_game
from tests.webapp.company.hosted import BO, accept, give, offer
from tests.webapp.company.peeking import cards_in, shown_to


@pytest.fixture
def game_id(parts) -> int:
    return start_game(parts)


@pytest.mark.parametrize("turns", [0, 2, 9], ids=["before she has passed", "after she has passed", "in the play"])
@pytest.mark.parametrize("is_robots", [False, True], ids=["her own", "given to a robot first"])
def test_whoever_is_given_a_seat_in_mid_hand_sees_none_of_its_cards(parts, game_id, is_robots, turns) -> None:
    if is_robots:
        give(parts, game_id, BO, None)
    for _ in range(turns):
        play_first(parts, game_id)
    link = offer(parts, game_id)
    accept(parts, link)
    game = load(parts, game_id).game
    held = {*game.deal.held[BO], *game.held[BO]}
    assert held
    assert cards_in(shown_to(parts, game_id, link.player_id, BO), held) == {}
