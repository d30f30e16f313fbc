"""Acts at the same moment, after which a game must be whole."""

import threading
from concurrent.futures import ThreadPoolExecutor

from hearts.cycle import replay_hands
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


def none_fails(*acts):
    """Runs the acts at the same moment, and returns their results. Raises the first exception of theirs."""
    done = at_once(*acts)
    for one in done:
        if isinstance(one, Exception):
            raise one
    return done


def check_replays(runtime, game_id):
    """The records fold into a game without a fault, each in its hand."""
    stored = load(runtime, game_id)
    named = [(record.hand, record.turn) for record in stored.records]
    assert replay_hands(stored.game.rules, stored.row.at_once, named) == stored.cycle
    assert stored.row.turns == len(stored.records)
