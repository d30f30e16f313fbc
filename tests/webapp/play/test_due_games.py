"""Games that are due: who plays in them, once, and what a deadline does."""

from collections import Counter
from datetime import timedelta
from functools import partial

import pytest
from sqlmodel import select

from hearts.robot import Level
from hearts.turns import Pass
from tests.cast import NAMES, PACE, letters, load, start_game, turn_link
from tests.due_games import make_due_games
from tests.playing import codes, miss_deadline, pass_all, records
from tests.races import none_fails
from tests.rings import rings
from webapp.core.bell import PLAY_DUE, PLAY_FOR_ABSENT
from webapp.models import LetterKind, TurnRow, TurnSource
from webapp.outbox.turn_mail_times import Cause
from webapp.play import due_games, taking
from webapp.site import make_site


def test_a_simultaneous_post_and_sweep_make_one_record(either_runtime):
    runtime = either_runtime
    for _ in range(4):
        game_id = start_game(runtime)
        pass_all(runtime, game_id, range(1, 4))
        before = len(records(runtime, game_id))
        runtime.now.pass_by(PACE + timedelta(seconds=1))
        url = runtime.signer.local_url(turn_link(runtime, game_id, 0))
        held = list(load(runtime, game_id).game.held[0])
        click = partial(make_site(runtime).test_client().post, url, data={"card": codes(held[:3])})
        swept, clicked = none_fails(partial(due_games.play_for_absent, runtime, game_id), click)
        passes = [row for row in records(runtime, game_id)[before:] if isinstance(row.turn, Pass)]
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
            played += sum(due_games.play_for_absent(runtime, game_id) for game_id in some)
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
        passes = [row.turn.seat for row in records(runtime, game) if isinstance(row.turn, Pass)]
        assert sorted(passes) == [0, 1, 2, 3]


def test_a_worker_plays_few_games_and_rings_for_more(runtime):
    make_due_games(runtime, due_games.AT_ONCE + 1, Level.RULE)
    assert due_games.play_due(runtime)
    assert rings(runtime).count(PLAY_DUE) == 1
    assert [len(records(runtime, game)) > 1 for game in range(1, due_games.AT_ONCE + 2)] == [
        *[True] * due_games.AT_ONCE,
        False,
    ]
    assert not due_games.play_due(runtime)
    assert len(records(runtime, due_games.AT_ONCE + 1)) > 1
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
    assert len(records(runtime, 1)) == 1
    assert len(records(runtime, 2)) > 1
    assert "game 1 failed" in caplog.text
    runtime.now.pass_by(due_games.LEASES[0])
    assert due_games.claim_due(runtime, runtime.now()) == [1], "it is tried again"


def test_a_worker_that_goes_on_wakes_no_other(runtime):
    game_id = start_game(runtime, NAMES[:1], robots=3)
    rings(runtime)
    assert miss_deadline(runtime, game_id) >= 4
    assert PLAY_FOR_ABSENT not in rings(runtime)


def test_a_dead_workers_game_is_due_after_its_lease(runtime, monkeypatch):
    make_due_games(runtime, 1, Level.RULE)
    take_turns = taking.take_turns

    def take_turns_and_die(*args):
        take_turns(*args)
        raise SystemExit

    monkeypatch.setattr(taking, "take_turns", take_turns_and_die)
    with pytest.raises(SystemExit):
        due_games.play_for_absent(runtime, 1)
    monkeypatch.undo()
    assert len(records(runtime, 1)) >= 5, "all have passed"
    assert due_games.claim_due(runtime, runtime.now()) == []
    runtime.now.pass_by(due_games.LEASES[0])
    assert due_games.claim_due(runtime, runtime.now()) == [1]
    assert due_games.play_for_absent(runtime, 1) >= 1, "a robot plays a card"


def test_a_claimed_game_is_due_again_after_its_lease(runtime):
    game_id = start_game(runtime, NAMES[:1], robots=3)
    assert due_games.claim_due(runtime, runtime.now()) == [game_id]
    assert due_games.claim_due(runtime, runtime.now()) == []
    runtime.now.pass_by(due_games.LEASES[0])
    assert due_games.claim_due(runtime, runtime.now()) == [game_id]


def test_a_player_missing_the_deadline_is_played_for_and_notified(runtime):
    game_id = start_game(runtime)
    pass_all(runtime, game_id, range(3))
    assert due_games.play_for_absent(runtime, game_id) == 0, "the deadline is not over"
    assert miss_deadline(runtime, game_id) == 1
    assert records(runtime, game_id)[4].source is TurnSource.TIMEOUT
    runtime.now.pass_by(PACE / 4)
    assert [one.seat for one in letters(runtime, LetterKind.TURNS) if one.reason == Cause.MISSED] == [3]
