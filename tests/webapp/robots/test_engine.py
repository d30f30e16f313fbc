"""The robot's process: it answers, starts when it is needed, and its end costs one answer and nothing else."""

import os
import signal
import subprocess
import sys
from functools import partial

import pytest

from hearts.cards import NotACard, parse_code
from hearts.game import Stage
from hearts.robot import Level
from tests.samples.games import CLASSIC, games
from tests.servers import ROOT, wait_until
from webapp.robots import thinking
from webapp.robots.engine import Engine, NoAnswer

HANGS = "import time; time.sleep(60)"
SPEAKS = "print('numba was here', flush=True)"
QUIET = "from webapp.robots import searching; searching.IDLE = 0.1; searching.serve()"
ASKS = """
import os, sys, time
from webapp.robots.engine import engine
print(engine.ask(os.getpid), flush=True)
print("numba" in sys.modules, flush=True)
if sys.argv[1] == "stays":
    time.sleep(60)
"""


@pytest.fixture
def engine():
    made = Engine()
    yield made
    made.stop()


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def has_ended(child: int) -> bool:
    """Whether it has, though nobody has asked for its status yet."""
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def test_answers_come_from_one_other_process(engine):
    engine.start()
    first = engine.ask(os.getpid)
    assert first != os.getpid()
    assert engine.ask(os.getpid) == first


def test_an_exception_is_raised_where_it_was_asked(engine):
    with pytest.raises(NotACard):
        engine.ask(partial(parse_code, "1X"))
    assert engine.ask(partial(parse_code, "2C")) == 0


def test_a_crash_costs_one_answer(engine):
    pid = engine.ask(os.getpid)
    with pytest.raises(NoAnswer):
        engine.ask(partial(os.kill, pid, signal.SIGKILL))
    assert engine.ask(os.getpid) != pid


def test_a_process_that_was_killed_between_two_questions_costs_none(engine):
    pid = engine.ask(os.getpid)
    os.kill(pid, signal.SIGKILL)
    wait_until("the end", lambda: has_ended(pid))
    assert engine.ask(os.getpid) != pid


@pytest.mark.parametrize("code", [HANGS, SPEAKS])
def test_a_process_that_hangs_or_babbles_is_ended(code):
    engine = Engine(code, patience=1)
    with pytest.raises(NoAnswer):
        engine.ask(os.getpid)


def test_a_quiet_process_ends_by_itself():
    engine = Engine(QUIET)
    pid = engine.ask(os.getpid)
    wait_until("the end", lambda: has_ended(pid))
    engine.stop()
    assert not is_running(pid)


@pytest.mark.parametrize("kill", [None, signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_the_one_that_asked(kill):
    command = [sys.executable, "-c", ASKS, "stays" if kill else "ends"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as asking:
        pid = int(asking.stdout.readline())
        assert asking.stdout.readline() == "False\n", "the process that asks holds no compiled search"
        if kill:
            asking.send_signal(kill)
    wait_until("the end of the search", lambda: not is_running(pid))


def test_without_an_answer_the_robot_plays_by_rule(monkeypatch):
    monkeypatch.setattr(thinking, "engine", Engine("", patience=5))
    game = next(game for game in games(CLASSIC, seed=5) if game.stage is Stage.PLAY and game.on_table)
    seat = game.to_act[0]
    thought = thinking.think(game, seat, Level.STRONG)
    assert thought.turn == thinking.by_rule(game, seat)
    assert thought.grounds.level == "rule"
    assert thinking.advise(game, seat, 1).turn == thought.turn
