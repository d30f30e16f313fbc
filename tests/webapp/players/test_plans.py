"""A player changes their plan, at one table or for all, or lets a robot play a hand."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import select

from hearts.plans import ASK, Plan, Wake
from hearts.rules import preset_rules
from tests.cast import NAMES, PACE, dump, give_plans, letters, load, play_first, seats, start_game, table
from tests.races import at_once, check_replays
from tests.webapp.with_plans import MATTERS, player_of, questions, started
from webapp.games.planning import awaited, pending
from webapp.kinds import QUESTIONS
from webapp.models import LetterState, PlayerRow, TurnSource
from webapp.play import due_games
from webapp.players import plans, preferences
from webapp.robots import thinking

pytestmark = pytest.mark.usefixtures("same_seed")


def test_a_new_plan_plays_at_once_and_another_asks_again(runtime):
    game_id = started(runtime)
    stored = load(runtime, game_id)
    (seat,) = stored.game.to_act
    player = player_of(runtime, game_id, seat)
    give_plans(runtime, game_id, guards=False)
    plans.change_plan(runtime, player, MATTERS, runtime.now(), stored.row.table_id)
    after = load(runtime, game_id)
    assert after.game.to_act != (seat,)
    assert next(one.source for one in after.records[stored.row.turns :]) is TurnSource.PLAN
    assert after.row.due_at is not None


def test_changing_back_and_forth_gains_no_time_or_second_mail(runtime):
    game_id = started(runtime)
    stored = load(runtime, game_id)
    (seat,) = stored.game.to_act
    player, asked = player_of(runtime, game_id, seat), len(letters(runtime))
    for _ in range(3):
        runtime.now.pass_by(timedelta(hours=1))
        for plan in (replace(MATTERS, wakes=frozenset(Wake), after_trick=1, orders=frozenset()), ASK):
            plans.change_plan(runtime, player, plan, runtime.now(), stored.row.table_id)
    after = load(runtime, game_id)
    assert after.row.turns == stored.row.turns
    assert after.row.due_at == stored.row.due_at
    assert len([letter for letter in letters(runtime) if letter.state is LetterState.QUEUED]) <= asked


def test_a_plan_awaiting_its_guard_can_be_taken_back(runtime):
    game_id = started(runtime, *[MATTERS] * 4)
    waiting = pending(load(runtime, game_id))
    table_id = load(runtime, game_id).row.table_id
    plans.change_plan(runtime, player_of(runtime, game_id, waiting.seat), ASK, runtime.now(), table_id)
    stored = load(runtime, game_id)
    assert awaited(stored) == (waiting.seat,)
    assert stored.row.due_at == runtime.now() + PACE
    assert [letter.seat for letter in questions(runtime) if letter.about != "pass"] == [waiting.seat]


def test_no_agreed_card_is_played_after_its_plan_was_withdrawn(runtime, monkeypatch):
    game_id = started(runtime, *[MATTERS] * 4)
    waiting = pending(load(runtime, game_id))
    player, table_id = player_of(runtime, game_id, waiting.seat), load(runtime, game_id).row.table_id

    def taken_back(_, looked_at):
        plans.change_plan(runtime, player, ASK, runtime.now(), table_id)
        return looked_at.found

    monkeypatch.setattr(thinking, "guarded", taken_back)
    assert due_games.play_for_absent(runtime, game_id) == 0
    stored = load(runtime, game_id)
    assert awaited(stored) == (waiting.seat,)
    assert not [record for record in stored.records if record.source is TurnSource.PLAN]


def test_another_plan_looks_again_at_a_decision_left_open(runtime, monkeypatch):
    monkeypatch.setattr(thinking, "guarded", lambda *_: None)
    game_id = started(runtime, *[MATTERS] * 4)
    due_games.play_for_absent(runtime, game_id)
    (seat,) = awaited(load(runtime, game_id))
    bolder = replace(MATTERS, limit=2.0)
    plans.change_plan(
        runtime, player_of(runtime, game_id, seat), bolder, runtime.now(), load(runtime, game_id).row.table_id
    )
    assert pending(load(runtime, game_id)).plan == bolder


def test_a_robot_plays_one_hand_on_its_players_request(runtime):
    game_id = start_game(runtime, NAMES[:2], robots=2, rules=preset_rules("quick", passing="none"))
    stored = load(runtime, game_id)
    plans.hand_over_hand(runtime, player_of(runtime, game_id, 0), stored.row.table_id, stored.game.hand, runtime.now())
    while not load(runtime, game_id).game.scores:
        due_games.play_for_absent(runtime, game_id)
        if not load(runtime, game_id).game.scores:
            assert awaited(load(runtime, game_id)) == (1,), "only Bo is asked"
            play_first(runtime, game_id)
    anns = [record for record in load(runtime, game_id).records if getattr(record.turn, "seat", None) == 0]
    assert {record.source for record in anns} <= {TurnSource.PLAN, TurnSource.FORCED, TurnSource.CLAIM}
    assert {record.choice.by for record in anns if record.source is TurnSource.PLAN} == {"robot"}
    due_games.play_for_absent(runtime, game_id)
    while awaited(load(runtime, game_id)) == (1,):
        play_first(runtime, game_id)
        due_games.play_for_absent(runtime, game_id)
    assert awaited(load(runtime, game_id)) == (0,), "in the next hand she plays herself"


def test_a_player_who_plays_a_card_has_the_hand_back(runtime):
    game_id = started(runtime)
    stored = load(runtime, game_id)
    (seat,) = stored.game.to_act
    table_id = stored.row.table_id
    plans.hand_over_hand(runtime, player_of(runtime, game_id, seat), table_id, 1, runtime.now())
    assert awaited(load(runtime, game_id)) == ()
    play_first(runtime, game_id)
    assert seats(runtime, table_id)[seat].robot_hand is None


def test_a_returning_player_has_the_hand_and_its_deadline(runtime):
    game_id = started(runtime)
    (seat,) = load(runtime, game_id).game.to_act
    table_id, due_at = load(runtime, game_id).row.table_id, load(runtime, game_id).row.due_at
    plans.hand_over_hand(runtime, player_of(runtime, game_id, seat), table_id, 1, runtime.now())
    runtime.now.pass_by(timedelta(hours=5))
    preferences.set_away(runtime, table_id, seat, away=False, now=runtime.now())
    stored = load(runtime, game_id)
    assert awaited(stored) == (seat,)
    assert stored.row.due_at == due_at


def test_a_default_is_for_all_tables_and_new_games(runtime):
    first = start_game(runtime)
    ann = player_of(runtime, first, 0)
    plans.change_plan(runtime, ann, MATTERS, runtime.now())
    assert seats(runtime, load(runtime, first).row.table_id)[0].plan == MATTERS
    second = start_game(runtime)
    own = seats(runtime, load(runtime, second).row.table_id)
    assert own[0].plan == MATTERS
    assert [seat.plan for seat in own[1:]] == [None, None, None]
    with runtime.database.reading() as session:
        assert [row.id for row in session.exec(select(PlayerRow).where(PlayerRow.plan.is_not(None)))] == [ann]


def test_a_change_at_one_table_changes_no_other(runtime):
    first, second = start_game(runtime), start_game(runtime)
    table_id = load(runtime, first).row.table_id
    plans.change_plan(runtime, player_of(runtime, first, 0), MATTERS, runtime.now(), table_id)
    assert seats(runtime, load(runtime, second).row.table_id)[0].plan is None
    assert table(runtime, table_id).plan is None


def test_a_plan_taken_back_while_its_guard_looks_plays_nothing(either_runtime):
    for _ in range(5):
        game_id = started(either_runtime, *[MATTERS] * 4)
        table_id = load(either_runtime, game_id).row.table_id
        players = [player_of(either_runtime, game_id, seat) for seat in range(4)]
        outcomes = at_once(
            *(
                lambda player=player, table_id=table_id: plans.change_plan(
                    either_runtime, player, ASK, either_runtime.now(), table_id
                )
                for player in players
            ),
            lambda game_id=game_id: due_games.play_for_absent(either_runtime, game_id),
        )
        assert not [one for one in outcomes if isinstance(one, Exception)]
        check_replays(either_runtime, game_id)
        stored = load(either_runtime, game_id)
        assert awaited(stored) == stored.game.to_act
        assert stored.row.due_at is not None
        asked = [one for one in letters(either_runtime) if one.game_id == game_id and one.about != "pass"]
        asked = [one for one in asked if one.kind in QUESTIONS and one.state is LetterState.QUEUED]
        assert [one.seat for one in asked] == list(stored.game.to_act)


def test_a_refused_change_of_plan_changes_nothing(runtime):
    game_id = started(runtime)
    before = dump(runtime)
    with pytest.raises(ValueError, match="limit"):
        plans.change_plan(runtime, 1, Plan(limit=3), runtime.now(), load(runtime, game_id).row.table_id)
    assert dump(runtime) == before
