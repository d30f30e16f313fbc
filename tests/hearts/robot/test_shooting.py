"""Shooting the moon by rule: the cards of a seat that wants every point."""

import pytest

from hearts.cards import card_text
from hearts.robot.reading import replayed, table_numbers
from hearts.robot.shooting import shoot
from tests.hearts.robot.asked import seen

FIRST = "2C 3C 4C 5C"  # its last player leads the next trick


@pytest.mark.parametrize(
    ("held", "plays", "leader", "card"),
    [
        pytest.param("AC KC QC 3D 4D 5D 6D 7S 8S 9S TS JH 2H", "", None, "AC", id="on lead: sure winners"),
        pytest.param("AC JC 3C", "2C 5C TC", 1, "JC", id="the last to play: the cheapest winner"),
        pytest.param("2D AD KC", f"{FIRST} 2H", 0, "2D", id="nothing to follow with: a low card, no points"),
        pytest.param("TC 8C 7C", f"{FIRST} 6C QS", 3, "TC", id="points to win, and others to play"),
        pytest.param("AC QC 9C", f"{FIRST} 6C", 0, "AC", id="a sure winner without points"),
        pytest.param("QC TC 7C", f"{FIRST} 6C", 0, "QC", id="a high card that may win"),
        pytest.param("TC 8C 7C", f"{FIRST} 6C", 0, "7C", id="a middling card that may lose"),
        pytest.param("QS JS 2D", f"{FIRST} KS", 0, "JS", id="cannot win: no points"),
    ],
)
def test_a_shooter_wins_all_it_can_and_keeps_high_cards(held: str, plays: str, leader: int | None, card: str):
    rules = {} if plays else {"opening": "eldest"}
    place = seen(held, plays, leader=leader, rules=rules)
    numbers = table_numbers(place)
    assert card_text(shoot(replayed(place, numbers), numbers, place.legal.mask)) == card
