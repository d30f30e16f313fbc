"""Games that are due: who plays in them, once, and what a deadline does."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from functools import partial

import pytest
from sqlmodel import select

from hearts.robot import Level
from hearts.turns import Pass
from tests.cast import NAMES, PACE, letters, start_game
from tests.due_games import make_due_games
from tests.mailing import letters_to, player_id, set_preferences
from tests.playing import codes, waiting_game
from tests.races import none_fails
from tests.rings import rings
from tests.submitting import words
from tests.table import Table
from tests.webapp.going_away import set_away
from tests.webapp.holidays import add_holiday
from tests.webapp.vacations import left, play_until, table_url, with_vacation
from webapp.core.bell import PLAY_DUE, PLAY_FOR_ABSENT
from webapp.games.clock.vacation import vacation_of
from webapp.models import LetterKind, TurnRow, TurnSource
from webapp.outbox.timing import Cause
from webapp.play import due_games, taking
from webapp.site import make_site
from worker import postman


def test_a_simultaneous_post_and_sweep_make_one_record(either_runtime):
    runtime = either_runtime
    for _ in range(4):
        table = start_game(runtime)
        table.pass_all(range(1, 4))
        before = len(table.turns)
        runtime.now.pass_by(PACE + timedelta(seconds=1))
        url = runtime.signer.local_url(table.turn_link(0))
        held = list(table.game.held[0])
        click = partial(make_site(runtime).test_client().post, url, data={"card": codes(held[:3])})
        swept, clicked = none_fails(table.play_for_absent, click)
        passes = [row for row in table.turns[before:] if isinstance(row.turn, Pass)]
        assert len(passes) == 1
        assert (swept >= 1) == (passes[0].source is TurnSource.TIMEOUT)
        assert clicked.status_code in (303, 409)


def test_two_workers_claim_each_of_many_due_games_once(either_runtime):
    runtime = either_runtime
    games = 20 if runtime.settings.database_url else 8  # on SQLite they take turns anyway
    make_due_games(runtime, games, Level.RULE)

    def claim_and_play():
        claimed, played = [], 0
        while some := due_games.claim_due(runtime, runtime.now()):
            claimed += some
            played += sum(Table(runtime, game_id).play_for_absent() for game_id in some)
        return claimed, played

    (one, played), (other, also_played) = none_fails(claim_and_play, claim_and_play)
    assert sorted(one + other) == list(range(1, games + 1))
    with runtime.database.reading() as session:
        turns = session.exec(select(TurnRow.game_id, TurnRow.turn, TurnRow.source)).all()
    passes = Counter((game, turn.seat) for game, turn, _ in turns if isinstance(turn, Pass))
    assert passes == {(game, seat): 1 for game in range(1, games + 1) for seat in range(4)}
    assert played + also_played == sum(way in (TurnSource.ROBOT, TurnSource.TIMEOUT) for *_, way in turns)


def test_two_workers_on_the_same_games_play_each_robot_once(either_runtime):
    runtime = either_runtime
    make_due_games(runtime, 8, Level.RULE)
    none_fails(*(partial(due_games.play_for_absent, runtime, game) for game in range(1, 9) for _ in range(2)))
    for game in range(1, 9):
        passes = [row.turn.seat for row in Table(runtime, game).turns if isinstance(row.turn, Pass)]
        assert sorted(passes) == [0, 1, 2, 3]


def test_a_worker_plays_few_games_and_rings_for_more(runtime):
    make_due_games(runtime, due_games.AT_ONCE + 1, Level.RULE)
    assert due_games.play_due(runtime)
    assert rings(runtime).count(PLAY_DUE) == 1
    assert [len(Table(runtime, game).turns) > 1 for game in range(1, due_games.AT_ONCE + 2)] == [
        *[True] * due_games.AT_ONCE,
        False,
    ]
    assert not due_games.play_due(runtime)
    assert len(Table(runtime, due_games.AT_ONCE + 1).turns) > 1
    assert not due_games.play_due(runtime), "nothing is due"
    assert PLAY_DUE not in rings(runtime)


def test_an_unplayable_game_holds_up_no_other(runtime, monkeypatch, caplog):
    make_due_games(runtime, 2, Level.RULE)
    play = due_games.play_for_absent

    def play_in_the_second(runtime, game_id):
        if game_id == 1:
            raise ValueError("broken")
        return play(runtime, game_id)

    monkeypatch.setattr(due_games, "play_for_absent", play_in_the_second)
    assert due_games.play_due(runtime)
    assert len(Table(runtime, 1).turns) == 1
    assert len(Table(runtime, 2).turns) > 1
    assert "game 1 failed" in caplog.text
    runtime.now.pass_by(due_games.LEASES[0])
    assert due_games.claim_due(runtime, runtime.now()) == [1], "it is tried again"


def test_a_worker_that_goes_on_wakes_no_other(runtime):
    table = start_game(runtime, NAMES[:1], robots=3)
    rings(runtime)
    assert table.miss_deadline() >= 4
    assert PLAY_FOR_ABSENT not in rings(runtime)


def test_a_dead_workers_game_is_due_after_its_lease(runtime, monkeypatch):
    make_due_games(runtime, 1, Level.RULE)
    take_turns = taking.take_turns

    def take_turns_and_die(*args):
        take_turns(*args)
        raise SystemExit

    monkeypatch.setattr(taking, "take_turns", take_turns_and_die)
    with pytest.raises(SystemExit):
        Table(runtime, 1).play_for_absent()
    monkeypatch.undo()
    assert len(Table(runtime, 1).turns) >= 5, "all have passed"
    assert due_games.claim_due(runtime, runtime.now()) == []
    runtime.now.pass_by(due_games.LEASES[0])
    assert due_games.claim_due(runtime, runtime.now()) == [1]
    assert Table(runtime, 1).play_for_absent() >= 1, "a robot plays a card"


def test_a_claimed_game_is_due_again_after_its_lease(runtime):
    table = start_game(runtime, NAMES[:1], robots=3)
    assert due_games.claim_due(runtime, runtime.now()) == [table.game_id]
    assert due_games.claim_due(runtime, runtime.now()) == []
    runtime.now.pass_by(due_games.LEASES[0])
    assert due_games.claim_due(runtime, runtime.now()) == [table.game_id]


def test_a_player_missing_the_deadline_is_played_for_and_notified(runtime):
    table = start_game(runtime)
    table.pass_all(range(3))
    assert table.play_for_absent() == 0, "the deadline is not over"
    assert table.miss_deadline() == 1
    assert table.turns[4].source is TurnSource.TIMEOUT
    runtime.now.pass_by(PACE / 4)
    assert [one.seat for one in letters(runtime, LetterKind.TURNS) if one.reason == Cause.MISSED] == [3]


ANN, BO, CY, DI = range(4)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def test_a_missed_deadline_takes_a_vacation_day_before_a_robot(runtime, client):
    table = with_vacation(waiting_game(runtime))
    runtime.now.at = table.due_at - HOUR
    postman.deliver(runtime)
    asked = table.due_at
    assert table.miss_deadline() == 0
    assert (table.due_at, left(table)) == (asked + DAY, 2)
    assert table.seats[CY].missed == 0
    runtime.now.pass_by(DAY / 4)
    assert letters_to(runtime, "Cy", LetterKind.TURNS)[-1].reason == Cause.MISSED
    runtime.now.at = asked
    shown = words(client.get(table_url(table, BO)))
    assert "Cy missed a deadline: one of their spare days is used." in shown
    assert "plays, two spare days left" in shown
    add_holiday(runtime, player_id(runtime, "Cy"), date(2026, 6, 1), date(2026, 6, 1), runtime.now())
    assert table.due_at == asked + DAY, "the day stays, whatever else changes"
    assert table.miss_deadline() == 1, "a day for each decision at most"
    assert table.turns[-1].source is TurnSource.TIMEOUT
    play_until(table, CY)
    assert table.miss_deadline() == 1, "none for a player who has vanished"
    assert (table.seats[CY].away, left(table)) == (True, 2)
    set_away(runtime, table.table_id, CY, away=False)
    table.play_first()
    play_until(table, CY)
    assert table.miss_deadline() == 0, "they have played themselves since"
    assert left(table) == 1


def test_players_who_miss_a_deadline_together_each_spend_a_day(runtime, client):
    table = with_vacation(start_game(runtime), days=1)
    table.pass_lowest(ANN)
    set_preferences(runtime, "Cy", time_zone="Asia/Tokyo", days_off=frozenset({2}))
    runtime.now.at = table.due_at  # a Tuesday, Wednesday in Tokyo from 15:00 on
    assert table.miss_deadline() == 0
    assert [left(table, seat) for seat in (ANN, BO, CY, DI)] == [1, 0, 0, 0]
    assert table.due_at == runtime.now() + 2 * DAY, "a day, and Cy's day off"
    tomorrow = runtime.now().date() + DAY
    add_holiday(runtime, player_id(runtime, "Bo"), tomorrow, tomorrow + 5 * DAY, runtime.now())
    assert table.miss_deadline() == 3
    assert [table.seats[seat].missed for seat in (ANN, BO, CY, DI)] == [0, 1, 1, 1]


@pytest.mark.parametrize(
    ("days", "pace"),
    [
        pytest.param(0, DAY, id="the table has none"),
        pytest.param(3, 6 * HOUR, id="a quick table"),
        pytest.param(3, HOUR / 60, id="a live table"),
    ],
)
def test_without_a_vacation_day_a_robot_plays_at_the_deadline(runtime, days, pace):
    table = with_vacation(start_game(runtime, pace=pace), days)
    for seat in (ANN, BO, DI):
        table.pass_lowest(seat)
    assert table.miss_deadline() >= 1
    assert vacation_of(table.seats[CY]).days == 0


def test_simultaneous_sweeps_take_one_day_and_none_after_a_card(either_runtime):
    runtime = either_runtime
    table = with_vacation(waiting_game(runtime))
    runtime.now.at = table.due_at - HOUR
    postman.deliver(runtime)
    runtime.now.at = table.due_at
    with ThreadPoolExecutor(4) as pool:
        sweeps = [pool.submit(table.play_for_absent) for _ in range(3)]
        card = pool.submit(table.play_first)
    assert sum(sweep.result() for sweep in sweeps) == 0
    card.result()
    assert 3 - left(table) <= 1
    assert table.turns[-1].source is not TurnSource.TIMEOUT
