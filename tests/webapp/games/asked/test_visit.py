"""The steps of a visit: results before decisions, the hand that the player is in before others, and then nothing."""

from datetime import UTC, datetime, timedelta

import pytest

from hearts.game import Stage
from hearts.seats import Seat
from tests.cast import start_game
from tests.side_by_side import finish
from webapp.games.asked.visit import HandState, StepKind, VisitStep, hands_of, next_step, shown_by_now
from webapp.models import EarlierPlayer

ANN, BO = Seat(0), Seat(1)
NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)
RESULT, GOES_ON, PASSED, DECISION, NOTHING = StepKind


def asks(number, hours=0, chosen=0):
    return HandState(number, asks=True, asked_at=NOON + timedelta(hours=hours), chosen=chosen)


def over(number, ended, chosen=0):
    return HandState(number, ended=ended, chosen=chosen)


def passed(number, chosen):
    return HandState(number, chosen=chosen, is_passed=True)


def moves(number, chosen=0):
    return HandState(number, goes_on=True, chosen=chosen)


@pytest.mark.parametrize(
    ("hands", "given", "step"),
    [
        pytest.param([asks(1)], {}, (DECISION, 1), id="the only hand asks"),
        pytest.param([HandState(1)], {}, (NOTHING, 1), id="others are asked"),
        pytest.param([asks(1, 2), asks(2, 1)], {}, (DECISION, 2), id="the hand that has asked for longest"),
        pytest.param([asks(1), asks(2, 1, chosen=9)], {}, (DECISION, 2), id="the hand that they are in asks again"),
        pytest.param([asks(1, 1), asks(2), HandState(3, chosen=9)], {}, (DECISION, 2), id="theirs asks others"),
        pytest.param([asks(1), moves(2, chosen=9)], {}, (GOES_ON, 2), id="theirs goes on before another asks"),
        pytest.param([asks(1), moves(2, chosen=9)], {"waits": False}, (DECISION, 1), id="they do not want to wait"),
        pytest.param([asks(1, chosen=9), moves(2)], {}, (DECISION, 1), id="a hand in which they chose nothing goes on"),
        pytest.param([moves(1)], {}, (NOTHING, 1), id="robots pass first"),
        pytest.param([passed(1, 9), asks(2)], {}, (PASSED, 1), id="they have just passed, and another hand asks"),
        pytest.param([passed(1, 9), asks(2)], {"shown": 9}, (DECISION, 2), id="they have seen what they passed"),
        pytest.param([passed(1, 9), HandState(2)], {}, (NOTHING, 1), id="they have passed, and nothing else asks"),
        pytest.param([over(1, 60), passed(2, 61), asks(3)], {}, (RESULT, 1), id="a hand ended before they passed"),
        pytest.param([over(1, 60), asks(2)], {"shown": 59}, (RESULT, 1), id="a hand has ended"),
        pytest.param([over(1, 60), asks(2)], {"shown": 60}, (DECISION, 2), id="its result was shown"),
        pytest.param([over(1, 60), over(2, 50), asks(3)], {}, (RESULT, 2), id="the result that came first"),
        pytest.param([over(1, 60), asks(2)], {"at": 2}, (DECISION, 2), id="a decision stays while they read it"),
        pytest.param([over(1, 60), HandState(2)], {"at": 2}, (RESULT, 1), id="somebody answered it meanwhile"),
        pytest.param([asks(1), asks(2, 1)], {"at": 7}, (DECISION, 1), id="a hand that is not played"),
        pytest.param([over(1, 60, chosen=59), moves(2, chosen=40)], {"shown": 60}, (NOTHING, 2), id="all that is left"),
        pytest.param([over(1, 60), over(2, 61)], {"shown": 61}, (NOTHING, 1), id="the game is over"),
    ],
)
def test_a_visit_goes_on_in_order(hands, given, step):
    shown = given.pop("shown", 0)
    assert next_step(hands, shown, **given) == VisitStep(*step)


def state(stored, seat, number):
    return next(one for one in hands_of(stored, seat) if one.number == number)


def test_a_hand_asks_people_and_goes_on_for_robots_alone(runtime):
    table = start_game(runtime, ("Ann", "Bo"), robots=2)
    stored = table.stored
    assert [state(stored, seat, 1).asks for seat in (ANN, BO)] == [True, True]
    assert not state(stored, ANN, 1).goes_on
    for _ in range(2):
        table.play_first()
    stored = table.stored
    assert [state(stored, seat, 1).asks for seat in (ANN, BO)] == [False, False]
    assert state(stored, ANN, 1).goes_on, "the robots have still to pass"


def test_an_ended_hand_counts_until_its_player_chooses_again(runtime):
    table = start_game(runtime)
    table.play_hand()
    stored = table.stored
    ended = state(stored, ANN, 1).ended
    assert ended == max(one.number for one in stored.records if one.hand == 1)
    assert shown_by_now(stored, ANN) < ended
    table.play_first()  # Ann passes
    assert shown_by_now(table.stored, ANN) > ended


def test_only_the_latest_ended_hand_is_shown_never_to_newcomers(runtime):
    table = start_game(runtime)
    table.play_hand()
    table.play_hand()
    stored = table.stored
    assert [one.number for one in hands_of(stored, ANN)] == [2, 3]
    stored.row.earlier = [EarlierPlayer(ANN, "Eve", stored.turns, hands=2, player=99)]
    assert state(stored, ANN, 2).ended == 0
    assert shown_by_now(stored, ANN) == stored.turns


def test_one_of_four_hands_ends_while_the_others_run(runtime):
    table = start_game(runtime, at_once=4)
    finish(table, 2)
    stored = table.stored
    assert [(one.number, bool(one.ended)) for one in hands_of(stored, ANN)] == [
        (1, False), (2, True), (3, False), (4, False)
    ]  # fmt: skip
    assert not stored.cycle.scores, "hands count in order"


def test_a_card_played_for_a_player_is_not_their_choice(runtime):
    table = start_game(runtime)
    table.miss_deadline()
    assert table.game.stage is Stage.PLAY
    assert state(table.stored, ANN, 1).chosen == 0
