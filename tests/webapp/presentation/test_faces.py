"""The faces of cards: their codes, texts and names, and what tells two equal ones apart."""

import pytest

from hearts.cards import NONE, Card, Cards, parse_card
from webapp.presentation.faces import face, fold_of, held_by_suit


def test_every_cards_code_text_and_name_parse_to_it() -> None:
    for number in range(52):
        drawn, card = face(Card(number)), Card(number)
        assert {parse_card(drawn.code), parse_card(drawn.text), parse_card(drawn.name)} == {card}
        assert drawn.symbol.endswith("\ufe0e")


def test_of_two_equal_cards_the_second_is_the_new_one() -> None:
    (row,) = held_by_suit(Cards.parse("QS QS 2S"), Cards.parse("2S"), {parse_card("QS"): "no"}, Cards.parse("QS"))
    assert [held.spoken for held in row.cards] == [
        "two of spades",
        "queen of spades, first of two. Not now: no",
        "queen of spades, second of two, new from the pass. Not now: no",
    ]


@pytest.mark.parametrize(
    ("held", "fold"),
    [
        pytest.param("2C 3C 4C 5C 2D 3D 4D 2S 3S 4S 2H 3H 4H", (2, 7, 13), id="two suits in each row"),
        pytest.param("2C 3C 4C 2S 3S 4S 5S 6S 7S 8S 2H 3H 4H", None, id="too long a row"),
        pytest.param("2C 2D 3D 4D 5D 6D 7D 8D 9D 2S 3S 4S 2H", (2, 9, 13), id="the shorter of two rows that fit"),
        pytest.param("2C 3C 4C 5C 6C 7C 8C 9C", None, id="one suit"),
        pytest.param("", None, id="no card"),
    ],
)
def test_two_rows_of_cards_break_between_suits_that_fit(held, fold):
    assert fold_of(held_by_suit(Cards.parse(held), NONE, {}, NONE)) == fold
