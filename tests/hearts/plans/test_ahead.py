"""What an answer ahead plays, and when its player is asked again."""

import json

import pytest

from hearts.cards import card_text, parse_code
from hearts.plans.ahead import (
    Ahead,
    BadAhead,
    Unless,
    ahead_mapping,
    came,
    follows_ahead,
    is_for,
    leads_ahead,
    parse_ahead,
)
from hearts.play import Trick
from hearts.seats import Seat
from tests.hearts.plans.views import seen

ALL = frozenset(Unless)
WON = Trick(Seat(1), tuple(map(parse_code, ["2C", "3C", "4C", "9C"])), Seat(0))
LOST = Trick(Seat(1), tuple(map(parse_code, ["2C", "KC", "4C", "9C"])), Seat(2))


def answer(card, *, seen_cards=1, unless=ALL, trick=1, hand=1, lead=None):
    cards = {"card": parse_code(card), "lead": lead and parse_code(lead)}
    return Ahead(hand=hand, trick=trick, seen=seen_cards, unless=unless, **cards)


@pytest.mark.parametrize(
    ("view", "ahead", "card", "again"),
    [
        pytest.param(seen("9C KC", "TC"), answer("9C"), "9C", [], id="nothing has come"),
        pytest.param(seen("9C KC", "TC QS"), answer("9C"), None, ["queen", "points"], id="the queen fell"),
        pytest.param(seen("9C KC", "TC QS"), answer("9C", seen_cards=2), "9C", [], id="the queen lay there before"),
        pytest.param(seen("9C KC", "TC 2H"), answer("9C"), None, ["points"], id="points fell"),
        pytest.param(seen("9C KC", "TC 2H"), answer("9C", unless=frozenset()), "9C", [], id="whatever comes"),
        pytest.param(seen("9C KC", "TC"), answer("KC"), None, ["win"], id="it would win"),
        pytest.param(seen("9C KC", "TC AC"), answer("KC"), "KC", [], id="it does not win any more"),
        pytest.param(seen("9C 2D", "TC"), answer("2D"), None, [], id="it may not be played"),
        pytest.param(
            seen("9C", "TC QS", rules={"queen_points": 0}), answer("9C"), "9C", [], id="the queen does not count"
        ),
    ],
)
def test_the_card_is_played_unless_something_came(view, ahead, card, again) -> None:
    found = follows_ahead(ahead, view)
    assert (None if found is None else card_text(found)) == card
    assert came(ahead, view) == again


@pytest.mark.parametrize(("hand", "trick", "there"), [(1, 1, True), (1, 2, False), (2, 1, False)])
def test_an_answer_is_to_one_trick_of_one_hand(hand, trick, there) -> None:
    assert is_for(answer("9C", hand=hand, trick=trick), seen("9C KC", "TC")) is there


@pytest.mark.parametrize(
    ("tricks", "ahead", "led"),
    [
        pytest.param((WON,), answer("9C", lead="4D"), "4D", id="the trick was won"),
        pytest.param((LOST,), answer("9C", lead="4D"), None, id="it was lost"),
        pytest.param((WON,), answer("9C"), None, id="no lead was chosen"),
        pytest.param((WON, WON), answer("9C", lead="4D"), None, id="of an earlier trick"),
        pytest.param((WON,), answer("9C", lead="7D"), None, id="a card that is gone"),
    ],
)
def test_a_lead_is_played_only_right_after_the_trick_was_won(tricks, ahead, led) -> None:
    found = leads_ahead(ahead, seen("4D 5D", tricks=tricks))
    assert (None if found is None else card_text(found)) == led


def test_an_answer_survives_its_json_form() -> None:
    for ahead in (answer("9C"), answer("QS", lead="4D", unless=frozenset())):
        assert parse_ahead(json.loads(json.dumps(ahead_mapping(ahead)))) == ahead


@pytest.mark.parametrize("change", [{"card": "1C"}, {"trick": None}, {"unless": ["rain"]}, {"lead": 7}])
def test_what_is_no_answer_is_refused(change) -> None:
    with pytest.raises(BadAhead):
        parse_ahead({**ahead_mapping(answer("9C")), **change})
