"""When a player is asked whatever their plan says."""

import pytest

from hearts.cards import parse_code
from hearts.plans import Wake
from hearts.plans.wakes import wakes_for
from hearts.play import Trick
from hearts.seats import Seat
from tests.hearts.plans.views import seen

DONE = Trick(Seat(0), tuple(map(parse_code, ["2C", "3C", "4C", "5C"])), Seat(3))


@pytest.mark.parametrize(
    ("view", "card", "woken"),
    [
        pytest.param(seen("KC", "TC 2H"), "KC", {Wake.POINTS}, id="I would win points"),
        pytest.param(seen("9C", "TC 2H"), "9C", set(), id="I would not win them"),
        pytest.param(seen("KC", "TC 2D"), "KC", set(), id="there are no points"),
        pytest.param(seen("3S", "2S"), "3S", {Wake.QUEEN}, id="spades are led and the queen is out"),
        pytest.param(seen("QS", "2S"), "QS", set(), id="I have the queen"),
        pytest.param(seen("3S", "2S", played="QS 4S 5S 6S"), "3S", set(), id="the queen was played"),
        pytest.param(seen("3C", "2C"), "3C", set(), id="other suits are led"),
        pytest.param(seen("3C", "2C", taken=(0, 5, 0, 0)), "3C", {Wake.MOON}, id="one player has all points"),
        pytest.param(seen("3C", "2C", taken=(0, 3, 0, 0)), "3C", set(), id="too few of them"),
        pytest.param(seen("3C", "2C", taken=(0, 5, 1, 0)), "3C", set(), id="two players have points"),
        pytest.param(seen("3C", "2C 2H", broken=True), "3C", {Wake.BROKEN, Wake.POINTS}, id="broken in this trick"),
        pytest.param(
            seen("3C", "4C", played="2C 3D 2H 5C", broken=True), "3C", {Wake.BROKEN}, id="broken since my last card"
        ),
        pytest.param(
            seen("3C", "4C", played="2C 2H 3D 5C 6C 7C 8C 9C", broken=True), "3C", set(), id="broken long ago"
        ),
        pytest.param(seen("3C"), "3C", {Wake.LEAD}, id="my lead"),
    ],
)
def test_each_wake_up_comes_exactly_when_it_says(view, card, woken) -> None:
    assert {wake for wake in Wake if wakes_for(view, parse_code(card), {wake}, 0)} == woken


@pytest.mark.parametrize(("tricks", "after", "woken"), [(3, 0, False), (3, 4, False), (4, 4, True), (5, 4, True)])
def test_a_player_may_be_asked_every_card_after_some_tricks(tricks, after, woken) -> None:
    view = seen("3C", "2C", tricks=(DONE,) * tricks)
    assert wakes_for(view, parse_code("3C"), (), after) is woken
