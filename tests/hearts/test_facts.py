"""Facts of a hand, by how interesting they are."""

import pytest

from hearts.cards import parse_code
from hearts.facts import (
    CleanHand,
    HeartsBroken,
    How,
    JackTaken,
    LastTrickPoints,
    MoonShot,
    MoonStopped,
    MostPoints,
    QueenDucked,
    QueenPassed,
    QueenTaken,
    TurningPoint,
    worth,
)
from hearts.seats import Seat
from hearts.turns import MoonChoice

ANN, BO = Seat(0), Seat(1)


def turning_point(cost):
    return TurningPoint(ANN, 3, "AS", "4S", cost)


@pytest.mark.parametrize(
    ("more", "less"),
    [
        pytest.param(
            MoonShot(0, (ANN,), MoonChoice.ADD, sun=False), MoonStopped(ANN, BO, 12, 25), id="a moon, and a stopped one"
        ),
        pytest.param(MoonStopped(ANN, BO, 5, 14), turning_point(100.0), id="a stopped moon, and the dearest decision"),
        pytest.param(turning_point(20.0), turning_point(10.0), id="a dear decision, and a cheap one"),
        pytest.param(turning_point(0.5), JackTaken(ANN, 1, BO, How.LED), id="the cheapest decision, and the jack"),
        pytest.param(
            QueenTaken(ANN, 1, ANN, How.LED), QueenTaken(ANN, 1, BO, How.LED), id="the own queen, and another's"
        ),
        pytest.param(MostPoints((ANN,), 13), LastTrickPoints(ANN, 26), id="the most points, and any last trick"),
        pytest.param(QueenPassed(ANN, BO), QueenDucked(BO, 50), id="the queen passed, and ducked as often as you like"),
        pytest.param(QueenDucked(ANN, 3), QueenDucked(BO, 1), id="ducked often, and once"),
        pytest.param(CleanHand((ANN,)), HeartsBroken(ANN, 3, parse_code("2H")), id="a clean hand, and hearts broken"),
    ],
)
def test_some_facts_are_worth_more_than_others(more, less):
    assert worth(more) > worth(less)
