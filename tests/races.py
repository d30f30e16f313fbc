"""What happens at the same moment, and that a game is whole after it."""

import threading
from concurrent.futures import ThreadPoolExecutor

from hearts.game import Stage, apply, new_game
from hearts.turns import Deal
from tests.cast import load


def at_once(*acts):
    """Runs the acts at the same moment, and returns their results or exceptions."""
    gate = threading.Barrier(len(acts))

    def run(act):
        gate.wait()
        try:
            return act()
        except Exception as error:  # noqa: BLE001  the test looks at it
            return error

    with ThreadPoolExecutor(len(acts)) as pool:
        return [one.result() for one in [pool.submit(run, act) for act in acts]]


def check_replays(runtime, game_id):
    """The records fold into a game without a fault, and each trick has one card of each seat."""
    stored = load(runtime, game_id)
    game = new_game(stored.game.rules)
    for record in stored.records:
        assert isinstance(record.turn, Deal) or game.stage is not Stage.DEAL
        game = apply(game, record.turn)
    assert game.plays == stored.game.plays
    assert stored.row.turns == len(stored.records)
