"""The winner of tricks, with one pack and with two."""

import pytest

from hearts.cards import Cards, parse_code
from hearts.play import cancelled, winner
from hearts.rules import preset_rules
from tests.hearts.builders import rules_of

TWO_PAIRS_VOID = preset_rules("cancellation", players=6)
PAIRS = preset_rules("cancellation", players=6, cancellation="pairs")


@pytest.mark.parametrize(
    ("rules", "cards", "place"),
    [
        pytest.param(rules_of(), "2C 9C 4C TC", 3, id="the highest card of the suit led wins"),
        pytest.param(rules_of(), "2C AD AS AH", 0, id="no trumps"),
        pytest.param(rules_of(), "9H 2H AC TH", 3, id="hearts led: the highest heart"),
        pytest.param(PAIRS, "AC AC 2C 3C 4C 5C", 5, id="two equal cards cancel each other"),
        pytest.param(PAIRS, "AC 2C AC 3C 9D 9S", 3, id="the highest uncancelled card of the suit led"),
        pytest.param(PAIRS, "AC AC KC KC 4C 5D", 4, id="pairs: two pairs leave the rest to win"),
        pytest.param(PAIRS, "AC AC KC KC 4D 5D", None, id="if all are cancelled, nobody wins"),
        pytest.param(
            PAIRS, "AC AC KD QD JD TD", None, id="other suits never win, also where the suit led is cancelled"
        ),
        pytest.param(PAIRS, "2C KD KD QD JD TD", 0, id="a pair in another suit does not matter"),
        pytest.param(TWO_PAIRS_VOID, "AC AC KC KC 4C 5D", None, id="two pairs: nobody wins"),
        pytest.param(TWO_PAIRS_VOID, "2C KD KD 9H 9H TD", None, id="two pairs, in whatever suits"),
        pytest.param(TWO_PAIRS_VOID, "AC AC KC 3C 4C 5D", 2, id="one pair only: the highest left wins"),
        pytest.param(TWO_PAIRS_VOID, "AC AC KC KC KD KD", None, id="three pairs: nobody wins"),
    ],
)
def test_the_highest_card_that_is_not_cancelled_wins(rules, cards, place):
    assert winner(list(map(parse_code, cards.split())), rules) == place


def test_cancelled_cards_are_listed():
    assert cancelled(list(map(parse_code, ["AC", "2C", "AC", "3C", "9D", "9D"]))) == Cards.parse("AC AC 9D 9D")
