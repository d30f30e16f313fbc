"""A game in which an email of ours waits for a reply."""

import pytest

from tests.answers import codes, leader_after_pass, question
from tests.cast import NAMES, start_game


@pytest.fixture
def leads(runtime):
    """A game in which a player must choose a card: its id, their name, the letter to them, and their legal cards."""
    game_id = start_game(runtime)
    name = NAMES[leader_after_pass(runtime, game_id)]
    return game_id, name, question(runtime, name), codes(runtime, game_id)
