"""The due decision of a seat: its name while the seat is asked, before its turn, and after its answer."""

import random

import pytest

from hearts.game import Stage
from hearts.seats import Seat, every_seat
from hearts.turns import Deal, Moon, MoonChoice
from tests.hearts.builders import game_after, random_games, rules_of, shot
from webapp.games.asked.due import Due, answer_to, due_of, later_due
from webapp.games.record.store import Record, numbered
from webapp.models import TurnSource


@pytest.mark.parametrize(
    ("game", "seat", "due"),
    [
        pytest.param(game_after(rules=rules_of(passing="left")), 2, Due(1, "pass"), id="a pass"),
        pytest.param(game_after(), 1, Due(1, "trick 1"), id="a lead"),
        pytest.param(game_after("2C 5C"), 3, Due(1, "trick 1"), id="a card"),
        pytest.param(game_after("2C 5C KC AC"), 0, Due(1, "trick 2"), id="the next lead"),
        pytest.param(shot(), 0, Due(1, "moon"), id="a moon"),
        pytest.param(game_after("2C 5C"), 0, None, id="not its turn"),
        pytest.param(shot(), 1, None, id="another's moon"),
    ],
)
def test_a_seat_is_asked_for_its_pass_card_or_moon(game, seat, due):
    assert due_of(game, Seat(seat)) == due


@pytest.mark.parametrize(
    ("game", "later"),
    [
        pytest.param(game_after("2C"), [0, 3], id="one has played, one is at turn"),
        pytest.param(game_after("2C 5C KC"), [], id="the last is at turn"),
        pytest.param(game_after(), [], id="nothing lies on the table"),
        pytest.param(game_after("2C 5C KC AC"), [], id="a trick is over"),
        pytest.param(game_after(rules=rules_of(passing="left")), [], id="cards are passed"),
        pytest.param(shot(), [], id="a moon is counted"),
    ],
)
def test_those_after_the_seat_at_turn_play_to_the_trick(game, later):
    found = {seat: later_due(game, seat) for seat in every_seat(4)}
    assert [seat for seat, due in found.items() if due] == later
    assert {due for due in found.values() if due} <= {Due(game.hand, f"trick {game.trick}")}


def recorded(turns):
    return numbered(Record(turn, TurnSource.PAGE) for turn in turns)


def test_every_decision_is_answered_by_its_own_record_alone():
    steps = list(random_games(rules_of(passing="left", moon="choice"), random.Random(2), 2))
    records = recorded(turn for _, turn, _ in steps)
    for place, (game, turn, _) in enumerate(steps):
        if not isinstance(turn, Deal):
            due = due_of(game, turn.seat)
            assert answer_to(records, turn.seat, due) == records[place]
            assert answer_to(records[:place], turn.seat, due) is None


def test_a_moon_is_answered_by_its_shooter_alone():
    game = shot()
    assert game.stage is Stage.MOON
    records = recorded([game.deal, Moon(Seat(0), MoonChoice.ADD)])
    assert answer_to(records, Seat(0), Due(1, "moon")) == records[-1]
    assert answer_to(records, Seat(1), Due(1, "moon")) is None
    assert answer_to(records, Seat(0), Due(2, "moon")) is None
