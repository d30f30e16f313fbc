"""Acts at the same moment, after which a game must be whole."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sqlalchemy import text

from hearts.cycle import replay_hands
from tests.servers import wait_until

LOCKS = Path("/proc/locks")  # of this machine's files; a line with an arrow waits
WAITING = text("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")


def waiting(runtime):
    """How many transactions wait for another one."""
    engine = runtime.database.engine
    if engine.dialect.name == "sqlite":
        file = f":{os.stat(f'{engine.url.database}.lock').st_ino} "
        return sum("->" in line and file in line for line in LOCKS.read_text().splitlines())
    with engine.connect() as connection:
        return connection.execute(WAITING).scalar_one()


def until_another_waits(runtime):
    """Waits until another transaction waits for the one of this thread, or for any other."""
    wait_until("a transaction waits", lambda: waiting(runtime))


class Overlap:
    """Acts that overlap: `meet`, called in the middle of one, waits until each other has come as far, waits for a
    transaction, or has ended.
    """

    def __init__(self, runtime, *acts):
        self._runtime, self._acts, self._there = runtime, acts, set()

    def run(self):
        """Runs the acts, and returns their results. Raises the first exception of theirs."""
        self._left = len(self._acts)
        return none_fails(*(lambda act=act: self._run(act) for act in self._acts))

    def meet(self, *_):
        self._there.add(threading.get_ident())
        wait_until("all have met", lambda: len(self._there) + waiting(self._runtime) >= self._left)

    def _run(self, act):
        try:
            return act()
        finally:
            self._left -= 1
            self._there.discard(threading.get_ident())


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


def check_replays(table):
    """The records fold into a game without a fault, each in its hand."""
    stored = table.stored
    named = [(record.hand, record.turn) for record in stored.records]
    assert replay_hands(stored.game.rules, stored.row.at_once, named) == stored.cycle
    assert stored.row.turns == len(stored.records)
