"""Presence that changes at once with deadlines, turns, preferences and mails."""

from concurrent import futures
from concurrent.futures import ThreadPoolExecutor

from hearts.cards import Cards
from hearts.game import Stage
from hearts.seats import Seat
from hearts.turns import Pass
from tests.cast import NAMES, seats
from tests.playing import BO
from tests.table import ask_all
from tests.webapp.games.live import FIRST, LIVE, SECOND, live_game, time_left, wait
from tests.webapp.going_away import set_away
from webapp.games.asked.due import Due
from webapp.games.clock import clocks
from webapp.games.clock.clocks import set_wake
from webapp.games.clock.presence import is_present
from webapp.models import TurnSource
from webapp.play import taking
from worker import postman


def test_of_a_simultaneous_beat_and_deadline_only_one_wins(either_runtime):
    runtime = either_runtime
    for _ in range(4):
        table = live_game(runtime)
        table.pass_all({0, 2, 3})
        ask_all(runtime)
        wait(runtime, time_left(table))
        before = table.row
        with ThreadPoolExecutor(2) as pool:
            played = pool.submit(table.play_for_absent)
            pool.submit(table.beat).result()
            played = played.result()
        after = table.stored
        assert is_present(after.seats[BO], runtime.now())
        if BO in after.game.to_act and after.game.stage is Stage.PASS:
            assert (played, after.row.due_at, after.seats[BO].away) == (0, before.due_at + LIVE, False)
        else:
            way = next(row.source for row in table.turns if getattr(row.turn, "seat", None) == BO)
            assert (played >= 1, way) == (True, TurnSource.TIMEOUT)


def test_a_deadline_waits_for_a_beat_that_then_extends_it(either_runtime, monkeypatch):
    runtime = either_runtime
    table = live_game(runtime)
    table.pass_all({0, 2, 3})
    wait(runtime, time_left(table))
    cards = Cards.of(list(table.game.held[BO])[:3])

    def is_played_for():
        try:
            taking.take_turn(
                runtime, table.game_id, Due(1, "pass"), Pass(Seat(BO), cards), TurnSource.TIMEOUT, runtime.now()
            )
        except taking.TurnOver:
            return False
        return True

    with ThreadPoolExecutor(1) as pool:
        meanwhile = []

        def in_between(stored, now):
            meanwhile.append(pool.submit(is_played_for))
            futures.wait(meanwhile, timeout=0.5)
            set_wake(stored, now)

        monkeypatch.setattr(clocks, "set_wake", in_between)
        table.beat()
        assert [played.result() for played in meanwhile] == [False]
    assert time_left(table) == LIVE
    assert table.seats[BO].missed == 0


def test_many_simultaneous_beats_count_as_one_arrival(either_runtime):
    runtime = either_runtime
    table = live_game(runtime)
    wait(runtime, FIRST - SECOND)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda number: table.beat(number % 4), range(12)))
    assert time_left(table) == LIVE
    assert all(is_present(row, runtime.now()) for row in seats(runtime, table.table_id))


def test_beats_turns_preferences_and_mails_at_once_do_not_deadlock(either_runtime):
    runtime = either_runtime
    table = live_game(runtime, names=NAMES[:2], robots=2)
    table_id = table.table_id

    def does(number):
        match number % 5:
            case 0 | 1:
                table.beat(number % 2, here=number % 3 == 0)
            case 2:
                table.play_for_absent()
            case 3:
                set_away(runtime, table_id, BO, away=number % 2 == 0)
            case 4:
                postman.deliver(runtime)

    with ThreadPoolExecutor(5) as pool:
        list(pool.map(does, range(40)))
    assert table.row.turns >= 1
