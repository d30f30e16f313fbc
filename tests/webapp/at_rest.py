"""Games that rest because nobody plays them."""

from tests.cast import load
from tests.playing import miss_deadline
from webapp.games.clock import rest


def rests(runtime, game_id):
    return load(runtime, game_id).table.rests


def put_to_rest(runtime, game_id):
    """Lets deadlines pass until the game rests."""
    for _ in range(3 * rest.DEADLINES):
        if not rests(runtime, game_id):
            miss_deadline(runtime, game_id)
    assert rests(runtime, game_id)
