"""A player changes how long we wait for them, at one table or for all, or lets a robot play a hand."""

from datetime import timedelta

import pytest
from sqlmodel import select

from hearts.rules import preset_rules
from hearts.waits import Price
from tests.cast import NAMES, PACE, letters, load, seats, start_game, table
from tests.playing import play_first
from tests.races import at_once, check_replays
from tests.webapp.going_away import set_away
from tests.webapp.with_waits import player_of, questions, started
from webapp.games.asked.whose_turn import awaited, pending
from webapp.models import LetterState, PlayerRow, TurnSource, Wait
from webapp.play import due_games
from webapp.players import waits
from webapp.robots import thinking

pytestmark = pytest.mark.usefixtures("same_seed")


def test_a_new_wait_plays_at_once_what_hardly_matters(runtime, monkeypatch):
    monkeypatch.setattr(thinking, "small_price", lambda *_: Price(0.1, 100, 7))
    game_id = started(runtime)
    stored = load(runtime, game_id)
    (seat,) = stored.game.to_act
    player = player_of(runtime, game_id, seat)
    waits.change_wait(runtime, player, Wait.NONE, runtime.now(), stored.row.table_id)
    due_games.play_for_absent(runtime, game_id)
    after = load(runtime, game_id)
    assert after.game.to_act != (seat,)
    assert next(one.source for one in after.records[stored.row.turns :]) is TurnSource.WAIT
    assert after.row.due_at is not None


def test_changing_back_and_forth_gains_no_time_or_second_mail(runtime):
    game_id = started(runtime)
    stored = load(runtime, game_id)
    (seat,) = stored.game.to_act
    player, asked = player_of(runtime, game_id, seat), len(letters(runtime))
    for _ in range(3):
        runtime.now.pass_by(timedelta(hours=1))
        for wait in (Wait.NONE, Wait.FULL):
            waits.change_wait(runtime, player, wait, runtime.now(), stored.row.table_id)
    after = load(runtime, game_id)
    assert after.row.turns == stored.row.turns
    assert after.row.due_at == stored.row.due_at
    assert len([letter for letter in letters(runtime) if letter.state is LetterState.QUEUED]) <= asked


def test_a_wait_can_be_changed_before_the_robot_looks(runtime):
    game_id = started(runtime, *[Wait.NONE] * 4)
    waiting = pending(load(runtime, game_id))
    table_id = load(runtime, game_id).row.table_id
    waits.change_wait(runtime, player_of(runtime, game_id, waiting.seat), Wait.FULL, runtime.now(), table_id)
    stored = load(runtime, game_id)
    assert awaited(stored) == (waiting.seat,)
    assert stored.row.due_at == runtime.now() + PACE
    assert [letter.seat for letter in questions(runtime) if letter.about != "pass"] == [waiting.seat]


def test_a_changed_wait_drops_the_card_in_question(runtime, monkeypatch):
    game_id = started(runtime, *[Wait.NONE] * 4)
    waiting = pending(load(runtime, game_id))
    player, table_id = player_of(runtime, game_id, waiting.seat), load(runtime, game_id).row.table_id

    def taken_back(*_):
        waits.change_wait(runtime, player, Wait.FULL, runtime.now(), table_id)
        return Price(0.1, 100, 7)

    monkeypatch.setattr(thinking, "small_price", taken_back)
    assert due_games.play_for_absent(runtime, game_id) == 0
    stored = load(runtime, game_id)
    assert awaited(stored) == (waiting.seat,)
    assert not [record for record in stored.records if record.source is TurnSource.WAIT]


def test_a_changed_wait_looks_at_a_decision_anew(runtime, monkeypatch):
    monkeypatch.setattr(thinking, "small_price", lambda *_: None)
    game_id = started(runtime, *[Wait.NONE] * 4)
    due_games.play_for_absent(runtime, game_id)
    (seat,) = awaited(load(runtime, game_id))
    table_id = load(runtime, game_id).row.table_id
    waits.change_wait(runtime, player_of(runtime, game_id, seat), Wait.SHORT, runtime.now(), table_id)
    assert pending(load(runtime, game_id)).wait is Wait.SHORT


def test_a_robot_plays_one_hand_on_its_players_request(runtime):
    game_id = start_game(runtime, NAMES[:2], robots=2, rules=preset_rules("quick", passing="none"))
    stored = load(runtime, game_id)
    waits.hand_over_hand(runtime, player_of(runtime, game_id, 0), stored.row.table_id, stored.game.hand, runtime.now())
    while not load(runtime, game_id).game.scores:
        due_games.play_for_absent(runtime, game_id)
        if not load(runtime, game_id).game.scores:
            assert awaited(load(runtime, game_id)) == (1,), "only Bo is asked"
            play_first(runtime, game_id)
    anns = [record for record in load(runtime, game_id).records if getattr(record.turn, "seat", None) == 0]
    assert {record.source for record in anns} <= {TurnSource.WAIT, TurnSource.FORCED, TurnSource.CLAIM}
    assert {record.choice.by for record in anns if record.source is TurnSource.WAIT} == {"robot"}
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
    waits.hand_over_hand(runtime, player_of(runtime, game_id, seat), table_id, 1, runtime.now())
    assert awaited(load(runtime, game_id)) == ()
    play_first(runtime, game_id)
    assert seats(runtime, table_id)[seat].robot_hand is None


def test_a_returning_player_has_the_hand_and_its_deadline(runtime):
    game_id = started(runtime)
    (seat,) = load(runtime, game_id).game.to_act
    table_id, due_at = load(runtime, game_id).row.table_id, load(runtime, game_id).row.due_at
    waits.hand_over_hand(runtime, player_of(runtime, game_id, seat), table_id, 1, runtime.now())
    runtime.now.pass_by(timedelta(hours=5))
    set_away(runtime, table_id, seat, away=False)
    stored = load(runtime, game_id)
    assert awaited(stored) == (seat,)
    assert stored.row.due_at == due_at


def test_a_default_is_for_all_tables_and_new_games(runtime):
    first = start_game(runtime)
    ann = player_of(runtime, first, 0)
    waits.change_wait(runtime, ann, Wait.NONE, runtime.now())
    assert seats(runtime, load(runtime, first).row.table_id)[0].wait == Wait.NONE
    second = start_game(runtime)
    own = seats(runtime, load(runtime, second).row.table_id)
    assert own[0].wait == Wait.NONE
    assert [seat.wait for seat in own[1:]] == [None, None, None]
    with runtime.database.reading() as session:
        assert [row.id for row in session.exec(select(PlayerRow).where(PlayerRow.wait.is_not(None)))] == [ann]


def test_a_change_at_one_table_changes_no_other(runtime):
    first, second = start_game(runtime), start_game(runtime)
    table_id = load(runtime, first).row.table_id
    waits.change_wait(runtime, player_of(runtime, first, 0), Wait.NONE, runtime.now(), table_id)
    assert seats(runtime, load(runtime, second).row.table_id)[0].wait is None
    assert table(runtime, table_id).wait is None


def test_a_wait_changed_while_the_robot_looks_plays_nothing(either_runtime):
    for _ in range(5):
        game_id = started(either_runtime, *[Wait.NONE] * 4)
        table_id = load(either_runtime, game_id).row.table_id
        players = [player_of(either_runtime, game_id, seat) for seat in range(4)]
        outcomes = at_once(
            *(
                lambda player=player, table_id=table_id: waits.change_wait(
                    either_runtime, player, Wait.FULL, either_runtime.now(), table_id
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
