"""Games that rest because nobody plays them, and those in which players have short waits."""

from hearts.waits import Price
from tests.cast import load
from tests.playing import miss_deadline, waiting_game
from tests.webapp.with_waits import set_going
from webapp.games.asked import whose_turn
from webapp.games.asked.whose_turn import short_wait_of
from webapp.games.clock import rest
from webapp.models import Wait
from webapp.robots import thinking


def rests(runtime, game_id):
    return load(runtime, game_id).table.resting_at is not None


def put_to_rest(runtime, game_id):
    """Lets deadlines pass until the game rests."""
    for _ in range(3 * rest.DEADLINES):
        if not rests(runtime, game_id):
            miss_deadline(runtime, game_id)
    assert rests(runtime, game_id)


def short_waits(runtime, monkeypatch):
    """A game in which Cy has a short wait, and then everybody who comes after: no card costs more than a tenth."""
    monkeypatch.setattr(thinking, "small_price", lambda *_: Price(0.1, 100, 7))
    monkeypatch.setattr(whose_turn, "may_shed_queen", lambda _: False)
    game_id = waiting_game(runtime)
    set_going(runtime, game_id, *[Wait.SHORT] * 4)
    assert short_wait_of(load(runtime, game_id))
    return game_id
