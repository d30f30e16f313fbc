"""The path of a turn, and what must hold when several take it at once."""

from collections import Counter

import pytest

from hearts.cards import Cards
from hearts.game import IllegalTurn, Stage
from hearts.seats import Seat
from hearts.turns import Deal, Pass
from tests.cast import letters, load, start_game, turn_link
from tests.playing import codes, pass_all, pass_lowest, play_hand, records
from tests.submitting import posts_at_once
from webapp.games.asked.due import Due
from webapp.games.record import store
from webapp.kinds import QUESTIONS
from webapp.models import TurnSource
from webapp.play import taking


def test_turns_are_numbered_gaplessly_from_one_with_their_source(runtime):
    game_id = start_game(runtime)
    play_hand(runtime, game_id)
    rows = records(runtime, game_id)
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    assert load(runtime, game_id).row.turns == len(rows)
    assert {row.source for row in rows} - {TurnSource.CLAIM} == {TurnSource.FORCED, TurnSource.PAGE}


def test_nobody_is_asked_the_same_question_twice(runtime):
    game_id = start_game(runtime)
    pass_all(runtime, game_id)
    asked = [(letter.seat, letter.about) for letter in letters(runtime) if letter.kind in QUESTIONS]
    assert len(asked) == len(set(asked))
    assert Counter(about for _, about in asked)["pass"] == 4


def test_an_illegal_turn_changes_nothing(runtime):
    game_id = start_game(runtime)
    before = records(runtime, game_id)
    turn = Pass(Seat(0), Cards.of(list(load(runtime, game_id).game.held[1])[:3]))
    with pytest.raises(IllegalTurn):
        taking.take_turn(runtime, game_id, Due(1, "pass"), turn, TurnSource.PAGE, runtime.now())
    assert records(runtime, game_id) == before


def test_an_expired_turn_is_answered_with_what_was_played(runtime):
    game_id = start_game(runtime)
    played = pass_lowest(runtime, game_id, 0).records[-1].turn
    with pytest.raises(taking.TurnOver) as over:
        pass_lowest(runtime, game_id, 0)
    assert over.value.answer.turn == played


def test_twenty_simultaneous_posts_of_one_turn_make_one_record(either_runtime):
    runtime = either_runtime
    game_id = start_game(runtime)
    url = runtime.signer.local_url(turn_link(runtime, game_id, 0))
    held = list(load(runtime, game_id).game.held[0])
    before = len(records(runtime, game_id))
    statuses = posts_at_once(runtime, 20, lambda client: client.post(url, data={"card": codes(held[:3])}))
    assert statuses == {303: 20}, "the same cards again are the same success"
    assert len(records(runtime, game_id)) == before + 1


def test_one_of_twenty_simultaneous_answers_counts_and_others_learn_it(either_runtime):
    runtime = either_runtime
    game_id = start_game(runtime)
    url = runtime.signer.local_url(turn_link(runtime, game_id, 0))
    held = list(load(runtime, game_id).game.held[0])
    choices = iter([codes([held[n % 13], held[(n + 1) % 13], held[(n + 5) % 13]]) for n in range(13)])
    statuses = posts_at_once(runtime, 13, lambda client: client.post(url, data={"card": next(choices)}))
    assert statuses == {303: 1, 409: 12}
    assert [type(row.turn) for row in records(runtime, game_id)] == [Deal, Pass]


def test_a_game_can_be_loaded_as_at_an_earlier_turn(runtime):
    game_id = start_game(runtime)
    pass_all(runtime, game_id)
    with runtime.database.reading() as session:
        then = store.load(session, game_id, turns=1)
    assert then.game.stage is Stage.PASS
    assert then.game.to_act == (0, 1, 2, 3)
