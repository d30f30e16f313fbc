"""A decision is parsed by its form alone, alike from a page and from an email."""

import pytest

from hearts.cards import Cards, parse_card
from hearts.seats import Seat
from hearts.turns import Moon, MoonChoice, Pass, Play
from webapp.forms.fields import BadField
from webapp.forms.turns import read_turn

ME = Seat(2)


def cards(*codes):
    return Cards.of([parse_card(code) for code in codes])


@pytest.mark.parametrize(
    ("what", "codes", "moon", "decision"),
    [
        pytest.param("trick 5", ["QS"], "", Play(ME, parse_card("QS")), id="a card"),
        pytest.param("pass", ["QS", "AH", "2C"], "", Pass(ME, cards("QS", "AH", "2C")), id="three cards to pass"),
        pytest.param("pass", [], "", Pass(ME, cards()), id="none, which the rules refuse with a better sentence"),
        pytest.param("moon", [], "add", Moon(ME, MoonChoice.ADD), id="the value of the moon"),
    ],
)
def test_a_decision_is_parsed(what, codes, moon, decision):
    assert read_turn(ME, what, codes, moon) == decision


@pytest.mark.parametrize(
    ("what", "codes", "moon"),
    [
        pytest.param("trick 5", [], "", id="no card"),
        pytest.param("trick 5", ["QS", "AH"], "", id="two cards"),
        pytest.param("trick 5", ["QX"], "", id="no card of any pack"),
        pytest.param("pass", ["QS"] * 3, "", id="one card three times"),
        pytest.param("moon", [], "", id="no choice"),
        pytest.param("moon", [], "both", id="a choice that there is not"),
        pytest.param("moon", ["QS"], "QS", id="a card instead of a choice"),
    ],
)
def test_an_invalid_decision_is_rejected_with_a_message(what, codes, moon):
    with pytest.raises(BadField) as refused:
        read_turn(ME, what, codes, moon)
    assert str(refused.value).endswith(".")
