"""The path of a turn, and what must hold when several take it at once."""

from collections import Counter
from datetime import timedelta

import pytest

from hearts.cards import Cards
from hearts.game import IllegalTurn, Stage
from hearts.seats import Seat
from hearts.turns import Deal, Pass
from tests.cast import NAMES, PACE, letters, load, play_first, play_hand, start_game, table, turn_link
from tests.playing import QUICK, codes, pass_all, pass_lowest, records
from tests.submitting import posts_at_once
from webapp.games import store
from webapp.games.due import Due
from webapp.kinds import QUESTIONS
from webapp.models import GameState, LetterKind, TableState, TurnSource
from webapp.play import taking


def test_turns_are_numbered_without_gaps_from_one_and_name_their_source(runtime):
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


def test_of_twenty_different_answers_at_once_one_is_played_and_the_others_learn_which(either_runtime):
    runtime = either_runtime
    game_id = start_game(runtime)
    url = runtime.signer.local_url(turn_link(runtime, game_id, 0))
    held = list(load(runtime, game_id).game.held[0])
    choices = iter([codes([held[n % 13], held[(n + 1) % 13], held[(n + 5) % 13]]) for n in range(13)])
    statuses = posts_at_once(runtime, 13, lambda client: client.post(url, data={"card": next(choices)}))
    assert statuses == {303: 1, 409: 12}
    assert [type(row.turn) for row in records(runtime, game_id)] == [Deal, Pass]


def test_passing_does_not_move_the_deadline_of_the_others(runtime):
    game_id = start_game(runtime)
    due_at = load(runtime, game_id).row.due_at
    runtime.now.pass_by(timedelta(hours=5))
    pass_lowest(runtime, game_id, 0)
    assert load(runtime, game_id).row.due_at == due_at


def test_each_card_has_its_own_deadline(runtime):
    game_id = start_game(runtime)
    pass_all(runtime, game_id)
    runtime.now.pass_by(timedelta(hours=5))
    play_first(runtime, game_id)
    assert load(runtime, game_id).row.due_at == runtime.now() + PACE


def test_every_hand_sends_each_player_one_score_sheet_and_the_end_a_final_one(runtime):
    game_id = start_game(runtime, NAMES[:2], robots=2, rules=QUICK)
    while load(runtime, game_id).game.stage is not Stage.OVER:
        play_hand(runtime, game_id)
    stored = load(runtime, game_id)
    hands = range(1, len(stored.game.scores) + 1)
    sheets = [(letter.seat, letter.hand) for letter in letters(runtime, LetterKind.SCORE_SHEET)]
    assert sorted(sheets) == [(seat, hand) for seat in (0, 1) for hand in hands]
    assert [letter.seat for letter in letters(runtime, LetterKind.FINAL_SHEET)] == [0, 1]
    assert stored.row.state is GameState.OVER
    assert (stored.row.due_at, stored.row.wake_at) == (None, None)
    assert table(runtime, stored.row.table_id).state is TableState.OVER


def test_a_game_loaded_at_an_earlier_turn_is_the_game_as_it_was_then(runtime):
    game_id = start_game(runtime)
    pass_all(runtime, game_id)
    with runtime.database.reading() as session:
        then = store.load(session, game_id, turns=1)
    assert then.game.stage is Stage.PASS
    assert then.game.to_act == (0, 1, 2, 3)
